"use client";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { type FormResult, sendBody, sendForm } from "../sign-in/send-form.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./sign-up.module.css";
import { useSignUpMessage } from "./use-sign-up-message.ts";

const codeLength = 6;
const digitsOf = (text: string): string => text.replace(/\D/g, "");

const sendIfComplete = (input: HTMLInputElement): void => {
  if (digitsOf(input.value).length === codeLength) input.form?.requestSubmit();
};

/** A native form for the code. With script, the form is sent when it has all six digits. */
export const SignUpCodeForm = ({ error, isSent }: { error: string | null; isSent: boolean }) => {
  const t = useTranslations("sign-up");
  const messageOf = useSignUpMessage();
  const { form, problem, notice, isBusy, send, sendAgain } = useCode(error, isSent);
  useEarlyCode(form);
  useConfirmedElsewhere();
  return (
    <>
      {notice ? (
        <Notice tone="good" isLive>
          {t("codeSent")}
        </Notice>
      ) : null}
      <form ref={form} className={styles.form} method="post" action="/sign-up/verification" onSubmit={send}>
        <div className={styles.code}>
          <Field
            label={t("code")}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            required
            maxLength={12}
            error={problem ? messageOf(problem) : null}
            onInput={({ currentTarget }) => sendIfComplete(currentTarget)}
          />
        </div>
        <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
          {t("codeSubmit")}
        </SubmitButton>
      </form>
      <form className={styles.more} method="post" action="/sign-up/code" onSubmit={sendAgain}>
        <p>{t("noMail")}</p>
        <SubmitButton size="small">{t("sendCode")}</SubmitButton>
      </form>
    </>
  );
};

const codeInputOf = (form: HTMLFormElement | null) => form?.querySelector<HTMLInputElement>("[name=code]");

const useCode = (initialProblem: string | null, isSent: boolean) => {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState(initialProblem);
  const [notice, setNotice] = useState(isSent);
  const [isBusy, setIsBusy] = useState(false);
  // If an event hydrates the form, the event's handler runs twice before the state changes. The ref prevents a second
  // request.
  const isSending = useRef(false);
  const setSending = (value: boolean) => {
    isSending.current = value;
    setIsBusy(value);
  };
  const settle = (result: FormResult) => {
    setSending(false);
    if (result.kind === "refused") setProblem(result.code);
    const input = codeInputOf(form.current);
    input?.focus();
    input?.select();
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current) return;
    setSending(true);
    setNotice(false);
    const result = await sendForm(event.currentTarget);
    if (result.kind === "next") return window.location.assign(result.path);
    settle(result);
  };
  const sendAgain = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current) return;
    setSending(true);
    setProblem(null);
    const result = await sendForm(event.currentTarget);
    // The link was used in another browser. The page shows the next step.
    if (result.kind === "refused" && result.code === "sign_up_not_ready") return window.location.reload();
    const input = codeInputOf(form.current);
    if (result.kind === "next" && input) input.value = "";
    setNotice(result.kind === "next");
    settle(result);
  };
  return { form, problem, notice, isBusy, send, sendAgain };
};

/** Sends a code that was entered before the script ran. With `no-store`, browsers restore no old codes. */
const useEarlyCode = (form: RefObject<HTMLFormElement | null>): void => {
  useEffect(() => {
    const input = codeInputOf(form.current);
    if (input) sendIfComplete(input);
  }, [form]);
};

const pollMilliseconds = 5_000;

/** Continues as soon as the link in the e-mail was used in another browser. */
const useConfirmedElsewhere = (): void => {
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      const state = await readState();
      if (state === null || state === "code") return;
      window.clearInterval(timer);
      const result = state === "continue" ? await sendBody("/sign-up/verification", new URLSearchParams()) : null;
      window.location.assign(result?.kind === "next" ? result.path : "/sign-up/verify");
    };
    const timer = window.setInterval(look, pollMilliseconds);
    return () => window.clearInterval(timer);
  }, []);
};

const readState = async (): Promise<string | null> => {
  try {
    const response = await fetch("/sign-up/state");
    const answer: unknown = await response.json();
    const state = typeof answer === "object" && answer !== null ? Reflect.get(answer, "state") : null;
    return typeof state === "string" ? state : null;
  } catch {
    // The browser is offline. The next request may succeed.
    return null;
  }
};
