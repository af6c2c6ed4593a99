"use client";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { environmentLabels } from "../../directory/directory-labels.ts";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";

const list = "/operator/directory";

type Server = { issuer: string; displayName: string; legalName: string; environment: "production" | "sandbox" };
type Props = { server: Server; isWithdrawn: boolean; cancelHref: string; email: string };

/** Lists an authorization server by its issuer. @param isWithdrawn the entry exists, and is listed again */
export const ListServerForm = ({ server, isWithdrawn, cancelHref, email }: Props) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and list");
  const { isBusy, notice, problem, perform } = useAct(stepUp.handleError);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = submittedForm(event);
    return perform(async () => {
      const { participantId } = await trpc.operatorDirectory.listServer.mutate({
        issuer: textField(form, "issuer"),
        displayName: textField(form, "displayName"),
        legalName: textField(form, "legalName"),
        environment: textField(form, "environment") === "sandbox" ? "sandbox" : "production",
        reason: textField(form, "reason"),
      });
      router.push(`${list}/${participantId}`);
      router.refresh();
    });
  };
  const fields = problem?.fields ?? {};
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel={isWithdrawn ? "List again" : "Add server"}
        cancelHref={cancelHref}
        onSubmit={submit}
      >
        <Field
          label="Issuer"
          name="issuer"
          type="url"
          required
          maxLength={500}
          autoComplete="off"
          placeholder="https://auth.example"
          defaultValue={server.issuer}
          readOnly={isWithdrawn}
          hint="Its metadata (RFC 8414) is fetched when you list the server, and then every hour. The capabilities and keys are read from it."
          error={fields["/issuer"] ?? null}
        />
        <Names server={server} fields={fields} />
        <ReasonField />
        {Object.keys(fields).length > 0 ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};

const Names = ({ server, fields }: { server: Server; fields: Readonly<Record<string, string>> }) => (
  <>
    <Field
      label="Display name"
      name="displayName"
      required
      maxLength={200}
      autoComplete="off"
      defaultValue={server.displayName}
      error={fields["/displayName"] ?? null}
    />
    <Field
      label="Legal name"
      name="legalName"
      required
      maxLength={200}
      autoComplete="off"
      defaultValue={server.legalName}
      error={fields["/legalName"] ?? null}
    />
    <Select label="Environment" name="environment" defaultValue={server.environment}>
      <Options labels={environmentLabels} />
    </Select>
  </>
);
