"use client";
import { useTranslations } from "use-intl";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import styles from "./sign-in-form.module.css";
import { useAccountProblem } from "./use-account-problem.ts";
import { useNativeForm } from "./use-native-form.ts";

/** The form for a new password, on the page that a reset link opens. */
export const NewPasswordForm = ({
  token,
  email,
  returnTo,
  error,
}: {
  token: string;
  email: string;
  returnTo: string;
  error: string | null;
}) => {
  const t = useTranslations("account-access");
  const problemOf = useAccountProblem();
  const { problem, isBusy, submit } = useNativeForm(error);
  return (
    <form className={styles.form} method="post" action="/reset/save" onSubmit={submit}>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="return_to" value={returnTo} />
      {/* Password managers look for the user name that belongs to the password. It isn't sent. */}
      <input type="email" value={email} readOnly hidden autoComplete="username" />
      <Field
        label={t("newPassword.password")}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={1_000}
        hint={t("newPassword.hint")}
        error={problemOf(problem)}
      />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        {t("newPassword.submit")}
      </SubmitButton>
    </form>
  );
};
