"use client";
import { type FormEvent, useRef, useState } from "react";
import { setPreferenceCookie } from "../layout/remember.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { PasskeyOrForm } from "./passkey-or.tsx";
import { type SignInResult, sendPasskeySignIn, sendSignInForm, signInProblemText } from "./send.ts";
import styles from "./sign-in-form.module.css";

type Way = "password" | "passkey";

/** Posts as a native form; with script it stays on the page when refused, so that the e-mail isn't typed twice. */
export const SignInForm = ({
  returnTo,
  error,
  passkey,
  demo,
}: {
  returnTo: string;
  error: string | null;
  /** first: for who has one; never: where what follows wants a password */
  passkey: "first" | "second" | "never";
  demo: readonly { who: string; email: string; password: string }[];
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<{ way: Way; words: string } | null>(
    error ? { way: "password", words: signInProblemText(error) } : null,
  );
  const [busy, setBusy] = useState<Way | null>(null);
  const isFirst = passkey === "first";

  const enter = async (way: Way, send: () => Promise<SignInResult>): Promise<boolean> => {
    if (busy) return true;
    setBusy(way);
    const sent = await send();
    if (sent.kind === "in") {
      if (way === "passkey") setPreferenceCookie("passkey", "1");
      window.location.assign(sent.returnTo);
      return true;
    }
    setRefusal({ way, words: sent.words });
    setBusy(null);
    return false;
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (await enter("password", () => sendSignInForm(currentTarget))) return;
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  const fillIn = (one: { email: string; password: string }) => {
    for (const name of ["email", "password"] as const) {
      const input = form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
      if (input) input.value = one[name];
    }
    form.current?.requestSubmit();
  };

  const ofWay = (way: Way) => (refusal?.way === way ? refusal.words : null);
  const byPassword = (
    <>
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        maxLength={320}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1000}
        error={ofWay("password")}
      />
      <SubmitButton variant={isFirst ? "plain" : "primary"} isWide aria-busy={busy === "password" || undefined}>
        Sign in
      </SubmitButton>
    </>
  );

  return (
    <form ref={form} className={styles.form} method="post" action="/sign-in/session" onSubmit={submit}>
      <input type="hidden" name="return_to" value={returnTo} />
      {passkey === "never" ? (
        byPassword
      ) : (
        <PasskeyOrForm
          isFirst={isFirst}
          isBusy={busy === "passkey"}
          problem={ofWay("passkey")}
          use={() => enter("passkey", () => sendPasskeySignIn(returnTo))}
        >
          {byPassword}
        </PasskeyOrForm>
      )}
      {demo.length > 0 ? (
        <Notice tone="note">
          <p>
            Demo sign-ins, password <b>{demo[0]?.password}</b>
          </p>
          {demo.map((one) => (
            <div key={one.who} className={styles.demo}>
              <span>{one.email}</span>
              <Button size="small" onClick={() => fillIn(one)}>
                Use the demo {one.who}
              </Button>
            </div>
          ))}
        </Notice>
      ) : null}
    </form>
  );
};
