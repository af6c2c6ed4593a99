"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { askForPasskey } from "../../sign-in/passkey.ts";
import { PasskeyOrForm } from "../../sign-in/passkey-or-form.tsx";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useHasPasskey } from "./passkey-holder.tsx";
import styles from "./step-up-dialog.module.css";
import { trpc } from "./trpc-client.ts";
import { useMessageOf } from "./use-message-of.ts";

type Method = "passkey" | "password";

type StepUpDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  email: string;
  /** Label of the confirming button: `Confirm and approve`. */
  verb: string;
  /** Continues with the action. */
  onProven: () => Promise<void>;
};

/** Asks the person to confirm their identity before a risky action. The passkey comes first for those who have one. */
export const StepUpDialog = ({ isOpen, onOpenChange, email, verb, onProven }: StepUpDialogProps) => {
  const t = useTranslations("acts");
  const hasPasskey = useHasPasskey();
  const proof = useProof(onProven);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (await proof.byPassword(String(new FormData(form).get("password") ?? ""))) return;
    form.querySelector<HTMLInputElement>("[name=password]")?.select();
  };
  const passwordFields = (
    <PasswordFields email={email} error={proof.errorOf("password")}>
      <Button onClick={() => onOpenChange(false)}>{t("back")}</Button>
      <SubmitButton variant={hasPasskey ? "plain" : "primary"} aria-busy={proof.busy === "password" || undefined}>
        {verb}
      </SubmitButton>
    </PasswordFields>
  );
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={t("confirmTitle")}>
      <form className={styles.form} onSubmit={submit}>
        <p className="small muted">
          {t.rich(hasPasskey ? "confirmByPasskey" : "confirmByPassword", { email, b: (text) => <b>{text}</b> })}
        </p>
        {hasPasskey ? (
          <PasskeyOrForm
            isFirst
            isBusy={proof.busy === "passkey"}
            problem={proof.errorOf("passkey")}
            use={proof.byPasskey}
          >
            {passwordFields}
          </PasskeyOrForm>
        ) : (
          passwordFields
        )}
      </form>
    </Dialog>
  );
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
    byPassword: (password: string) => prove("password", () => trpc.auth.confirmPassword.mutate({ password })),
    byPasskey: () =>
      prove("passkey", async () => {
        const assertion = await askForPasskey(await trpc.passkeys.beginConfirming.mutate());
        await trpc.passkeys.confirm.mutate({ assertion });
      }),
  };
};

const PasswordFields = ({
  email,
  error,
  children,
}: {
  email: string;
  error: string | null;
  /** the buttons */
  children: ReactNode;
}) => {
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
      <DialogActions>{children}</DialogActions>
    </>
  );
};
