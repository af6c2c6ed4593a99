"use client";
import { useTranslations } from "use-intl";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field/field.tsx";
import styles from "./sign-in-form.module.css";
import { shareTypedEmail } from "./typed-email.ts";
import { useAccountProblem } from "./use-account-problem.ts";
import { useNativeForm } from "./use-native-form.ts";

/** Signs in with the e-mail address and a recovery code. */
export const RecoveryForm = ({
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
  const { problem, isBusy, submit } = useNativeForm(error);
  return (
    <form className={styles.form} method="post" action="/sign-in/recovery-code" onSubmit={submit}>
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
      />
      <Field
        label={t("recovery.code")}
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        maxLength={100}
        hint={t("recovery.hint")}
        error={problemOf(problem)}
      />
      <SubmitButton variant="primary" isWide aria-busy={isBusy || undefined}>
        {t("recovery.submit")}
      </SubmitButton>
    </form>
  );
};
