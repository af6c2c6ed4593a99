"use client";
import { useState } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { makeClientKey } from "../../portal/tokens/client-key.ts";
import { ScopeChoice } from "../../portal/tokens/scope-choice.tsx";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { AppCredentials, type AppCredentialsProps } from "./app-credentials.tsx";
import { readPastedKey } from "./pasted-key.ts";

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
  const [created, setCreated] = useState<AppCredentialsProps | null>(null);
  const submit = (form: FormData) => {
    const pasted = form.has("jwk") ? readPastedKey(textField(form, "jwk")) : null;
    if (pasted && "problem" in pasted) return showProblem({ message: pasted.problem, fields: {} });
    return perform(async () => {
      const key = pasted ? { publicJwk: pasted.jwk, privateJwk: null } : await makeClientKey();
      const app = { name: textField(form, "name"), scopes: form.getAll("scope").map(String), jwk: key.publicJwk };
      const registered = await trpc.apps.register.mutate({ merchantId, ...app });
      setCreated({ ...registered, privateJwk: key.privateJwk });
    });
  };
  if (created) return <AppCredentials {...created} />;
  const nameError = problem?.fields["/name"] ?? null;
  return (
    <>
      <form className={`card ${styles.form} ${styles.box}`} onSubmit={(event) => submit(submittedForm(event))}>
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          hint="Your team sees this name."
          error={nameError}
        />
        <ScopeChoice legend="Scopes" scopes={scopes} />
        <KeyFields />
        {nameError ? null : notice}
        <div className={styles.acts}>
          <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
            Register app
          </SubmitButton>
          <ButtonLink href="/merchant/apps" variant="quiet">
            Cancel
          </ButtonLink>
        </div>
      </form>
      {stepUp.dialog}
    </>
  );
};

/** The form has a `jwk` field only while a key is to be pasted. */
const KeyFields = () => {
  const [isPasted, setIsPasted] = useState(false);
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Key</legend>
        <Choice type="radio" name="key" defaultChecked onChange={() => setIsPasted(false)}>
          Generate a key pair in this browser. The private key isn’t sent to us
        </Choice>
        <Choice type="radio" name="key" onChange={() => setIsPasted(true)}>
          Paste the public key of a key pair that you have
        </Choice>
      </fieldset>
      {isPasted ? (
        <TextArea
          label="Public key"
          name="jwk"
          required
          maxLength={10_000}
          spellCheck={false}
          hint="A JWK: P-256, Ed25519, or RSA with at least 2048 bits."
        />
      ) : null}
    </>
  );
};
