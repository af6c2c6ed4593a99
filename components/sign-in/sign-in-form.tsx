"use client";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { PasskeyOrForm } from "./passkey-or-form.tsx";
import { sendForm } from "./send-form.ts";
import { type SignInProblem, type SignInResult, sendPasskeySignIn } from "./send-sign-in.ts";
import styles from "./sign-in-form.module.css";
import { SignInLinks } from "./sign-in-links.tsx";
import { forgetTypedEmail, shareTypedEmail } from "./typed-email.ts";
import { useSignInMessage } from "./use-sign-in-message.ts";

type Method = "password" | "passkey";
type Refusal = { method: Method; problem: SignInProblem };
type DemoAccount = { who: string; email: string; password: string };

/** A native form. With script it stays on the page after a refusal, so that the e-mail address is kept. */
export const SignInForm = ({
  returnTo,
  error,
  email,
  passkey,
  demo,
}: {
  returnTo: string;
  error: string | null;
  /** the e-mail address from the last form that was refused */
  email: string | undefined;
  /** where the passkey button is; `never` if the next step needs a password */
  passkey: "first" | "second" | "never";
  demo: readonly DemoAccount[];
}) => {
  const messageOf = useSignInMessage();
  const form = useRef<HTMLFormElement>(null);
  const { refusal, busy, signIn } = useSignIn(error ? { method: "password", problem: error } : null);
  const isPasskeyFirst = passkey === "first";
  const messageFor = (method: Method) => (refusal?.method === method ? messageOf(refusal.problem) : null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (await signIn("password", () => sendForm(currentTarget))) return;
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  const passwordFields = (
    <PasswordFields
      email={email}
      error={messageFor("password")}
      isBusy={busy === "password"}
      isPrimary={!isPasskeyFirst}
    />
  );
  return (
    <form ref={form} className={styles.form} method="post" action="/sign-in/session" onSubmit={submit}>
      <input type="hidden" name="return_to" value={returnTo} />
      {passkey === "never" ? (
        passwordFields
      ) : (
        <PasskeyOrForm
          isFirst={isPasskeyFirst}
          isBusy={busy === "passkey"}
          problem={messageFor("passkey")}
          use={() => signIn("passkey", () => sendPasskeySignIn(returnTo))}
        >
          {passwordFields}
        </PasskeyOrForm>
      )}
      <SignInLinks returnTo={returnTo} />
      <DemoAccounts accounts={demo} form={form} />
    </form>
  );
};

/** Runs one sign-in at a time. `signIn` returns false for a refusal. */
const useSignIn = (initialRefusal: Refusal | null) => {
  const [refusal, setRefusal] = useState(initialRefusal);
  const [busy, setBusy] = useState<Method | null>(null);
  const signIn = async (method: Method, send: () => Promise<SignInResult>): Promise<boolean> => {
    if (busy) return true;
    setBusy(method);
    const result = await send();
    if (result.kind === "next") {
      if (method === "passkey") setPreferenceCookie("passkey", "1");
      forgetTypedEmail();
      window.location.assign(result.path);
      return true;
    }
    setRefusal({ method, problem: result.code });
    setBusy(null);
    return false;
  };
  return { refusal, busy, signIn };
};

const PasswordFields = ({
  email,
  error,
  isBusy,
  isPrimary,
}: {
  email: string | undefined;
  error: string | null;
  isBusy: boolean;
  isPrimary: boolean;
}) => {
  const t = useTranslations("sign-in");
  return (
    <>
      <Field
        label={t("email")}
        ref={shareTypedEmail}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        maxLength={320}
        defaultValue={email}
      />
      <Field
        label={t("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1000}
        error={error}
      />
      <SubmitButton variant={isPrimary ? "primary" : "plain"} isWide aria-busy={isBusy || undefined}>
        {t("submit")}
      </SubmitButton>
    </>
  );
};

/** On a local installation: fills in and sends the form for a demo account. */
const DemoAccounts = ({
  accounts,
  form,
}: {
  accounts: readonly DemoAccount[];
  form: RefObject<HTMLFormElement | null>;
}) => {
  const t = useTranslations("sign-in");
  const [first] = accounts;
  if (!first) return null;
  const fillIn = (account: DemoAccount) => {
    for (const name of ["email", "password"] as const) {
      const input = form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
      if (input) input.value = account[name];
    }
    form.current?.requestSubmit();
  };
  return (
    <Notice tone="note">
      <p>{t.rich("demo", { password: first.password, b: (text) => <b>{text}</b> })}</p>
      {accounts.map((account) => (
        <div key={account.who} className={styles.demo}>
          <span>{account.email}</span>
          <Button size="small" onClick={() => fillIn(account)}>
            {t("useDemo", { who: account.who })}
          </Button>
        </div>
      ))}
    </Notice>
  );
};
