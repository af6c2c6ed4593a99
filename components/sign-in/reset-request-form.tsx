"use client";
import { useTranslations } from "use-intl";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import styles from "./sign-in-form.module.css";
import { shareTypedEmail } from "./typed-email.ts";
import { useAccountProblem } from "./use-account-problem.ts";
import { useNativeForm } from "./use-native-form.ts";

/** Requests a link to choose a new password. The next page is the same for each address. */
export const ResetRequestForm = ({
  returnTo,
  error,
  email,
}: {
  returnTo: string;
  error: string | null;
  /** the e-mail address from the last form that was refused */
  email: string | undefined;
}) => {
  const t = useTranslations("account-access");
  const problemOf = useAccountProblem();
  const sent = `/reset?${new URLSearchParams({ sent: "1", return_to: returnTo })}`;
  const { problem, isBusy, submit } = useNativeForm(error, sent);
  return (
    <form className={styles.form} method="post" action="/reset/request" onSubmit={submit}>
      <input type="hidden" name="return_to" value={returnTo} />
      <Field
        label={t("email")}
        ref={shareTypedEmail}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={320}
        defaultValue={email}
        error={problemOf(problem)}
      />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        {t("reset.submit")}
      </SubmitButton>
    </form>
  );
};
