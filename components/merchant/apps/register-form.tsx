"use client";
import { useRef, useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { ActForm } from "../../portal/forms/act-form.tsx";
import { Field } from "../../ui/field/field.tsx";
import { AppCredentials, type AppCredentialsProps } from "./app-credentials.tsx";
import { KeyFields, useChosenKey } from "./key-fields.tsx";
import { PurposeFields } from "./purpose-fields.tsx";

type RegisterFormProps = {
  merchantId: string;
  /** each scope with its description */
  scopes: readonly (readonly [string, string])[];
  email: string;
};

/** Registers an app. A key pair generated here stays in the browser; only its public key is sent. */
export const RegisterForm = ({ merchantId, scopes, email }: RegisterFormProps) => {
  const stepUp = useStepUp(email, "Confirm and register");
  const { isBusy, problem, notice, perform, showProblem } = useAct(stepUp.handleError);
  const key = useChosenKey();
  const requestKey = useRef<string | null>(null);
  const [created, setCreated] = useState<AppCredentialsProps | null>(null);
  const submit = (form: FormData) => {
    const keyProblem = key.findProblem(form);
    if (keyProblem) return showProblem({ message: keyProblem, fields: { "/jwk": keyProblem } });
    return perform(async () => {
      const { publicJwk: jwk, privateJwk } = await key.read(form);
      requestKey.current ??= crypto.randomUUID();
      const app = { name: textField(form, "name"), scopes: form.getAll("scope").map(String), jwk };
      const registered = await trpc.apps.register.mutate({ merchantId, ...app, idempotencyKey: requestKey.current });
      setCreated({ ...registered, privateJwk });
    });
  };
  if (created) return <AppCredentials {...created} />;
  const errorOf = (field: string) => problem?.fields[field] ?? null;
  const isAtField = ["/name", "/scopes", "/jwk"].some((field) => errorOf(field) !== null);
  return (
    <>
      <ActForm
        isBusy={isBusy}
        submitLabel="Register app"
        cancelHref="/merchant/apps"
        onSubmit={(event) => submit(submittedForm(event))}
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          hint="Your team sees this name."
          error={errorOf("/name")}
        />
        <PurposeFields scopes={scopes} error={errorOf("/scopes")} />
        <KeyFields error={errorOf("/jwk")} />
        {isAtField ? null : notice}
      </ActForm>
      {stepUp.dialog}
    </>
  );
};
