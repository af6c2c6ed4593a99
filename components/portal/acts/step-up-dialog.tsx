"use client";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { askForPasskey } from "../../sign-in/passkey.ts";
import { PasskeyOrForm } from "../../sign-in/passkey-or-form.tsx";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useProofMethods } from "./proof-methods.tsx";
import styles from "./step-up-dialog.module.css";
import { trpc } from "./trpc-client.ts";
import { useMessageOf } from "./use-message-of.ts";

type Method = "passkey" | "password" | "code";

type StepUpDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  email: string;
  /** Label of the confirming button: `Confirm and approve`. */
  confirmLabel: string;
  /** Continues with the action. */
  onProven: () => Promise<void>;
};

/**
 * Asks the person to confirm their identity before a risky action. A passkey is offered before a password. A person who
 * can use neither of them can enter a recovery code.
 */
export const StepUpDialog = ({ isOpen, onOpenChange, email, confirmLabel, onProven }: StepUpDialogProps) => {
  const t = useTranslations("acts");
  const { hasPassword, hasPasskey, hasRecoveryCodes } = useProofMethods();
  const [wantsCode, setWantsCode] = useState(false);
  const proof = useProof(onProven);
  const usesCode = wantsCode || (!hasPassword && !hasPasskey);
  const field = usesCode ? "code" : hasPassword ? "password" : null;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (field === null) return;
    if (await proof.byText(field, String(new FormData(form).get(field) ?? ""))) return;
    form.querySelector<HTMLInputElement>(`[name=${field}]`)?.select();
  };
  const showsPasskey = hasPasskey && !usesCode;
  const fields = (
    <>
      {field === "password" ? <PasswordField email={email} error={proof.errorOf("password")} /> : null}
      {field === "code" ? <RecoveryCodeField error={proof.errorOf("code")} /> : null}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{t("back")}</Button>
        {field ? (
          <SubmitButton variant={showsPasskey ? "plain" : "primary"} aria-busy={proof.busy === field || undefined}>
            {confirmLabel}
          </SubmitButton>
        ) : null}
      </DialogActions>
      {hasRecoveryCodes && !usesCode ? (
        <Button variant="quiet" size="small" onClick={() => setWantsCode(true)}>
          {t("useRecoveryCode")}
        </Button>
      ) : null}
    </>
  );
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={t("confirmTitle")}>
      <form className={styles.form} onSubmit={submit}>
        <p className="small muted">{t.rich(introOf(field, showsPasskey), { email, b: (text) => <b>{text}</b> })}</p>
        {showsPasskey ? (
          <PasskeyOrForm
            isFirst
            isAlone={field === null}
            isBusy={proof.busy === "passkey"}
            problem={proof.errorOf("passkey")}
            use={proof.byPasskey}
          >
            {fields}
          </PasskeyOrForm>
        ) : (
          fields
        )}
      </form>
    </Dialog>
  );
};

const introOf = (field: "password" | "code" | null, showsPasskey: boolean) => {
  if (field === "code") return "confirmByRecoveryCode";
  if (field === null) return "confirmOnlyPasskey";
  return showsPasskey ? "confirmByPasskey" : "confirmByPassword";
};

const useProof = (onProven: () => Promise<void>) => {
  const messageOf = useMessageOf();
  const [busy, setBusy] = useState<Method | null>(null);
  const [error, setError] = useState<{ method: Method; message: string } | null>(null);
  const prove = async (method: Method, confirm: () => Promise<unknown>): Promise<boolean> => {
    setBusy(method);
    setError(null);
    try {
      await confirm();
      await onProven();
      return true;
    } catch (cause) {
      setError({ method, message: messageOf(cause) });
      return false;
    } finally {
      setBusy(null);
    }
  };
  return {
    busy,
    errorOf: (method: Method) => (error?.method === method ? error.message : null),
    byText: (method: "password" | "code", text: string) =>
      prove(method, () =>
        method === "password"
          ? trpc.auth.confirmPassword.mutate({ password: text })
          : trpc.auth.confirmRecoveryCode.mutate({ code: text }),
      ),
    byPasskey: () =>
      prove("passkey", async () => {
        const assertion = await askForPasskey(await trpc.passkeys.beginConfirming.mutate());
        await trpc.passkeys.confirm.mutate({ assertion });
      }),
  };
};

const PasswordField = ({ email, error }: { email: string; error: string | null }) => {
  const t = useTranslations("acts");
  return (
    <>
      {/* Password managers look for the user name that belongs to the password. */}
      <input type="email" name="email" value={email} readOnly hidden autoComplete="username" />
      <Field
        label={t("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1_000}
        error={error}
      />
    </>
  );
};

const RecoveryCodeField = ({ error }: { error: string | null }) => {
  const t = useTranslations("acts");
  return (
    <Field
      label={t("recoveryCode")}
      name="code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      required
      maxLength={100}
      error={error}
    />
  );
};
