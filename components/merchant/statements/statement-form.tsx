"use client";
import { useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { Field, Select, TextArea } from "../../ui/field/field.tsx";
import { NewStatement } from "./new-statement.tsx";
import { readPastedKeys } from "./pasted-keys.ts";

type StatementFormProps = { merchantId: string; email: string; listHref: string };

const daySeconds = 24 * 3600;
const lifetimes = [
  [daySeconds, "1 day"],
  [7 * daySeconds, "7 days"],
  [30 * daySeconds, "30 days"],
  [90 * daySeconds, "90 days"],
] as const;

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== "");

const softwareOf = (form: FormData) => ({
  softwareId: textField(form, "softwareId"),
  clientName: textField(form, "clientName"),
  redirectUris: linesOf(textField(form, "redirectUris")),
  jwksUri: textField(form, "jwksUri") || null,
});

/** Gets a software statement. The form keeps its content while the person confirms their identity. */
export const StatementForm = ({ merchantId, email, listHref }: StatementFormProps) => {
  const stepUp = useStepUp(email, "Confirm and get statement");
  const { isBusy, problem, notice, perform, showProblem } = useAct(stepUp.handleError);
  const [statement, setStatement] = useState<string | null>(null);
  const submit = (form: FormData) => {
    const pasted = textField(form, "jwks");
    const keys = pasted === "" ? null : readPastedKeys(pasted);
    if (keys && "problem" in keys) return showProblem({ message: keys.problem, fields: { "/jwks": keys.problem } });
    return perform(async () => {
      const software = { ...softwareOf(form), jwks: keys?.jwks ?? null };
      const ttlSeconds = Number(form.get("ttl"));
      const issued = await trpc.softwareStatements.issue.mutate({ merchantId, ...software, ttlSeconds });
      setStatement(issued.statement);
    });
  };
  if (statement !== null) return <NewStatement statement={statement} doneHref={listHref} />;
  const errorOf = (field: string) => problem?.fields[field] ?? null;
  const isAtField = ["/softwareId", "/clientName", "/redirectUris", "/jwks", "/jwksUri"].some((field) =>
    errorOf(field),
  );
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel="Get statement"
        cancelHref={listHref}
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <SoftwareFields errorOf={errorOf} />
        <Select label="Expires after" name="ttl" defaultValue={30 * daySeconds}>
          {lifetimes.map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </Select>
        {isAtField ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};

const SoftwareFields = ({ errorOf }: { errorOf: (field: string) => string | null }) => (
  <>
    <Field
      label="Name"
      name="clientName"
      required
      maxLength={200}
      autoComplete="off"
      hint="Payers see this name on the consent page."
      error={errorOf("/clientName")}
    />
    <Field
      label="Software ID"
      name="softwareId"
      required
      maxLength={200}
      autoComplete="off"
      hint="An ID that you choose. Use the same ID for each installation and version of the software."
      error={errorOf("/softwareId")}
    />
    <TextArea
      label="Redirect URIs (optional)"
      name="redirectUris"
      maxLength={40_000}
      spellCheck={false}
      hint="Https addresses on your verified domains or their subdomains, one per line."
      error={errorOf("/redirectUris")}
    />
    <TextArea
      label="Public keys"
      name="jwks"
      maxLength={20_000}
      spellCheck={false}
      hint="A JWK Set or a JWK. Leave it empty if you enter the URL of the keys."
      error={errorOf("/jwks")}
    />
    <Field
      label="URL of the keys"
      name="jwksUri"
      type="url"
      maxLength={2000}
      autoComplete="off"
      hint="The https URL of a JWK Set on your verified domains or their subdomains. Leave it empty if you paste keys."
      error={errorOf("/jwksUri")}
    />
  </>
);
