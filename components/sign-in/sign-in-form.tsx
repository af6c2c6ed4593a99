"use client";
import { type FormEvent, useRef, useState } from "react";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./sign-in-form.module.css";

const messages: ReadonlyMap<string, string> = new Map([
  ["sign_in_refused", "E-mail and password don’t match an account. Check both, then try again."],
  ["too_many_attempts", "Too many attempts. Wait a minute, then try again."],
]);
const otherwise = "That didn’t work, and it isn’t your fault. Try again in a moment.";

/** Posts as a native form; with script it stays on the page when refused, so that the e-mail isn't typed twice. */
export const SignInForm = ({
  returnTo,
  error,
  demo,
}: {
  returnTo: string;
  error: string | null;
  demo: readonly { who: string; email: string; password: string }[];
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState(error);
  const [isBusy, setIsBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsBusy(true);
    const result = await send(event.currentTarget);
    if (result.kind === "in") return window.location.assign(result.returnTo);
    setCode(result.code);
    setIsBusy(false);
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  const fillIn = (one: { email: string; password: string }) => {
    for (const name of ["email", "password"] as const) {
      const input = form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
      if (input) input.value = one[name];
    }
    form.current?.requestSubmit();
  };

  return (
    <form ref={form} className={styles.form} method="post" action="/sign-in/session" onSubmit={submit}>
      <input type="hidden" name="return_to" value={returnTo} />
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
        error={code ? (messages.get(code) ?? otherwise) : null}
      />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        Sign in
      </SubmitButton>
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

type Sent = { kind: "in"; returnTo: string } | { kind: "refused"; code: string };

const send = async (form: HTMLFormElement): Promise<Sent> => {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: fields,
    });
    const answer: unknown = await response.json();
    if (response.ok) return { kind: "in", returnTo: textOf(answer, "return_to") ?? "/wallet" };
    return { kind: "refused", code: textOf(answer, "type")?.split("#").at(-1) ?? "server_error" };
  } catch {
    return { kind: "refused", code: "unreachable" };
  }
};

const textOf = (value: unknown, name: string): string | null => {
  const member = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof member === "string" ? member : null;
};
