"use client";
import { useState } from "react";
import { ProblemNotice } from "../../portal/acts/problem.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { sent, textIn, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { makeClientKey } from "../../portal/tokens/client-key.ts";
import { ScopeChoice } from "../../portal/tokens/scope-choice.tsx";
import { ButtonLink, SubmitButton } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { AppOnce, type AppOnceProps } from "./app-once.tsx";

type Key = { publicJwk: Record<string, unknown>; privateJwk: object | null };

type Pasted = { jwk: Record<string, unknown> } | { problem: string };

/** What holds a secret isn't sent anywhere (RFC 7518 §6). */
const readPasted = (text: string): Pasted => {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: "That is no JSON object." };
  if ("d" in value || "k" in value) {
    return { problem: "That holds the key’s private half. It was not sent; paste the public half." };
  }
  return { jwk: { ...value } };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Registers an app of the merchant's. A key pair that is made here stays here: what is sent is its public half. */
export const RegisterForm = ({
  merchantId,
  scopes,
  email,
}: {
  merchantId: string;
  /** what each scope that it may have lets its holder do */
  scopes: readonly (readonly [string, string])[];
  /** of who is signed in */
  email: string;
}) => {
  const stepUp = useStepUp(email, "Confirm and register");
  const { isBusy, problem, notice, perform, clear } = useAct(stepUp.asks);
  const [isPasted, setIsPasted] = useState(false);
  const [unsent, setUnsent] = useState<string | null>(null);
  const [made, setMade] = useState<AppOnceProps | null>(null);
  const register = async (form: FormData, { publicJwk, privateJwk }: Key): Promise<void> => {
    const wish = { name: textIn(form, "name"), scopes: form.getAll("scope").map(String), jwk: publicJwk };
    setMade({ ...(await trpc.apps.register.mutate({ merchantId, ...wish })), privateJwk });
  };
  if (made) return <AppOnce {...made} />;
  return (
    <>
      <form
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => {
          const form = sent(event);
          const pasted = isPasted ? readPasted(textIn(form, "jwk")) : null;
          const refused = pasted && "problem" in pasted ? pasted.problem : null;
          setUnsent(refused);
          if (refused !== null) return clear();
          return perform(async () =>
            register(
              form,
              pasted && "jwk" in pasted ? { publicJwk: pasted.jwk, privateJwk: null } : await makeClientKey(),
            ),
          );
        }}
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          hint="As your team will know it."
          error={problem?.fields["/name"] ?? null}
        />
        <ScopeChoice legend="Scopes" scopes={scopes} />
        <fieldset className={styles.group}>
          <legend>Key</legend>
          <Choice type="radio" name="key" defaultChecked onChange={() => setIsPasted(false)}>
            Make a key pair in this browser; its private half isn’t sent to us
          </Choice>
          <Choice type="radio" name="key" onChange={() => setIsPasted(true)}>
            Paste the public half of one that you have
          </Choice>
        </fieldset>
        {isPasted ? (
          <TextArea
            label="Public key"
            name="jwk"
            required
            maxLength={10_000}
            spellCheck={false}
            hint="A JWK: P-256, Ed25519, or RSA of at least 2048 bits."
          />
        ) : null}
        {unsent ? <ProblemNotice problem={{ message: unsent, fields: {} }} /> : null}
        {problem?.fields["/name"] ? null : notice}
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
