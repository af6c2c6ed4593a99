"use client";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./security.module.css";

type Props = { email: string; hasPassword: boolean; hasPasskey: boolean };

export const PasswordActions = ({ email, hasPassword, hasPasskey }: Props) => (
  <div className={styles.acts}>
    <ChangePassword email={email} hasPassword={hasPassword} />
    {hasPassword && hasPasskey ? <RemovePassword email={email} /> : null}
  </div>
);

const ChangePassword = ({ email, hasPassword }: Omit<Props, "hasPasskey">) => {
  const t = useTranslations("security");
  const stepUp = useStepUp(email, t("password.confirmChange"));
  const { open, dialog, problem, run } = useConfirmDialog(stepUp.handleError);
  const change = (form: FormData) =>
    run(() =>
      trpc.security.changePassword.mutate({
        password: String(form.get("password") ?? ""),
        endsOthers: form.get("ends_others") !== null,
      }),
    );
  const fieldProblem = problem?.fields["/password"] ?? null;
  return (
    <>
      <Button size="small" onClick={open}>
        {t(hasPassword ? "password.change" : "password.set")}
      </Button>
      <ConfirmDialog
        {...dialog}
        notice={fieldProblem ? null : dialog.notice}
        stepUp={stepUp.dialog}
        title={t(hasPassword ? "password.changeTitle" : "password.setTitle")}
        confirmLabel={t("save")}
        fields={<NewPasswordFields email={email} error={fieldProblem} />}
        onConfirm={change}
      />
    </>
  );
};

const NewPasswordFields = ({ email, error }: { email: string; error: string | null }) => {
  const t = useTranslations("security");
  return (
    <>
      {/* Password managers look for the user name that belongs to the password. */}
      <input type="email" value={email} readOnly hidden autoComplete="username" />
      <Field
        label={t("password.new")}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        maxLength={1_000}
        hint={t("password.hint")}
        error={error}
      />
      <Choice type="checkbox" name="ends_others" value="1">
        {t("password.endOthers")}
      </Choice>
    </>
  );
};

const RemovePassword = ({ email }: { email: string }) => {
  const t = useTranslations("security");
  const stepUp = useStepUp(email, t("password.confirmRemove"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        {t("password.remove")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t("password.removeTitle")}
        confirmLabel={t("password.removeIt")}
        cancelLabel={t("password.keepIt")}
        variant="dangerSolid"
        onConfirm={() => run(() => trpc.security.removePassword.mutate())}
      >
        {t("password.removeText")}
      </ConfirmDialog>
    </>
  );
};
