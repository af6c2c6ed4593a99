"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { SignUpDraft } from "#server/accounts/drafts/sign-up-draft.ts";
import { sendForm } from "../sign-in/send-form.ts";
import { forgetTypedEmail, shareTypedEmail } from "../sign-in/typed-email.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { type Method, MethodFields } from "./method-fields.tsx";
import styles from "./sign-up.module.css";
import { useSignUpMessage } from "./use-sign-up-message.ts";

type Props = {
  returnTo: string;
  invitation: string | null;
  /** the only address that may sign up; null: any */
  invited: string | null;
  /** the only method that the app accepts; null: both */
  onlyMethod: Method | null;
  draft: SignUpDraft | null;
  /** the e-mail address that the person entered in another form, which was refused */
  typedEmail: string | undefined;
};

/**
 * A native form. With script it stays on the page after a refusal. Without script, `draft` has the person's entries.
 */
export const SignUpForm = ({ returnTo, invitation, invited, onlyMethod, draft, typedEmail }: Props) => {
  const t = useTranslations("sign-up");
  const messageOf = useSignUpMessage();
  const { form, problems, isBusy, submit } = useSubmit(draft?.problems ?? {});
  const errorOf = (name: string) => (problems[name] ? messageOf(problems[name]) : null);
  return (
    <form ref={form} className={styles.form} method="post" action="/sign-up/account" noValidate onSubmit={submit}>
      <input type="hidden" name="return_to" value={returnTo} />
      {invitation ? <input type="hidden" name="invitation" value={invitation} /> : null}
      <Preferences />
      {problems["form"] ? (
        <Notice tone="bad" isLive>
          {messageOf(problems["form"])}
        </Notice>
      ) : null}
      <Field
        label={t("name")}
        name="name"
        autoComplete="name"
        maxLength={300}
        hint={t("nameHint")}
        defaultValue={draft?.name}
        error={errorOf("name")}
      />
      <Field
        label={t("email")}
        ref={shareTypedEmail}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        maxLength={320}
        readOnly={invited !== null}
        hint={invited === null ? null : t("invited")}
        defaultValue={invited ?? draft?.email ?? typedEmail}
        error={errorOf("email")}
      />
      <MethodFields onlyMethod={onlyMethod} initial={draft?.method ?? "password"} error={errorOf("password")} />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        {t("submit")}
      </SubmitButton>
    </form>
  );
};

/** Sends one form at a time, and focuses the first field that has a problem. */
const useSubmit = (initialProblems: Readonly<Record<string, string>>) => {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState(initialProblems);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const result = await sendForm(event.currentTarget);
    if (result.kind === "next") {
      forgetTypedEmail();
      return window.location.assign(result.path);
    }
    const byField = Object.keys(result.problems).length > 0 ? result.problems : { form: result.code };
    setProblems(byField);
    setIsBusy(false);
    const first = ["name", "email", "password"].find((name) => byField[name]);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };
  return { form, problems, isBusy, submit };
};

/** The browser's language and time zone, for the account. Without script, the service reads Accept-Language. */
const Preferences = () => {
  const [preferences, setPreferences] = useState({ locale: "", timeZone: "" });
  useEffect(() => {
    setPreferences({
      locale: navigator.language,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  }, []);
  return (
    <>
      <input type="hidden" name="locale" value={preferences.locale} />
      <input type="hidden" name="time_zone" value={preferences.timeZone} />
    </>
  );
};
