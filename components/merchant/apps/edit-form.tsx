"use client";
import { useRouter } from "next/navigation";
import type { MerchantAppDetail } from "#server/trpc/merchant/app-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { ScopeChoice } from "../../portal/tokens/scope-choice.tsx";
import { Field } from "../../ui/field/field.tsx";

type Props = { app: MerchantAppDetail; scopes: readonly (readonly [string, string])[]; email: string };

/** Changes the name, the scopes and the URL of the keys. */
export const EditForm = ({ app, scopes, email }: Props) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and save");
  const { isBusy, problem, notice, perform } = useAct(stepUp.handleError);
  const appHref = `/merchant/apps/${app.id}`;
  const submit = (form: FormData) =>
    perform(async () => {
      const jwksUri = textField(form, "jwksUri");
      await trpc.apps.edit.mutate({
        clientId: app.id,
        name: textField(form, "name"),
        scopes: form.getAll("scope").map(String),
        jwksUri: jwksUri === "" ? null : jwksUri,
      });
      router.push(appHref);
      router.refresh();
    });
  const errorOf = (field: string) => problem?.fields[field] ?? null;
  const isAtField = ["/name", "/scopes", "/jwksUri"].some((field) => errorOf(field) !== null);
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel="Save"
        cancelHref={appHref}
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          defaultValue={app.name}
          error={errorOf("/name")}
        />
        <ScopeChoice legend="Scopes" scopes={scopes} selected={app.scopes} error={errorOf("/scopes")} />
        <Field
          label={`URL of the keys (jwks_uri)${app.jwksUri ? "" : " (optional)"}`}
          name="jwksUri"
          type="url"
          maxLength={2000}
          autoComplete="off"
          defaultValue={app.jwksUri ?? ""}
          hint="The https URL of a JWK Set on your server. It replaces the registered keys."
          error={errorOf("/jwksUri")}
        />
        {isAtField ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};
