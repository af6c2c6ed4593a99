"use client";
import { type FormEvent, useState } from "react";
import { askForPasskey } from "../../sign-in/passkey.ts";
import { PasskeyOrForm } from "../../sign-in/passkey-or-form.tsx";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useHasPasskey } from "./passkey-holder.tsx";
import styles from "./step-up-dialog.module.css";
import { messageOf, trpc } from "./trpc-client.ts";

type Way = "passkey" | "password";

/** Asks again who is there, before a risky act; `onProven` goes on with it. A passkey stands first for who has one. */
export const StepUpDialog = ({
  isOpen,
  onOpenChange,
  email,
  verb,
  onProven,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  email: string;
  /** what follows, as on the button: `Confirm and approve` */
  verb: string;
  onProven: () => Promise<void>;
}) => {
  const hasPasskey = useHasPasskey();
  const [busy, setBusy] = useState<Way | null>(null);
  const [problem, setProblem] = useState<{ way: Way; words: string } | null>(null);

  const prove = async (way: Way, proof: () => Promise<unknown>): Promise<boolean> => {
    setBusy(way);
    setProblem(null);
    try {
      await proof();
      await onProven();
      return true;
    } catch (error) {
      setProblem({ way, words: messageOf(error) });
      return false;
    } finally {
      setBusy(null);
    }
  };

  const byPasskey = () =>
    prove("passkey", async () => {
      const assertion = await askForPasskey(await trpc.passkeys.beginConfirming.mutate());
      await trpc.passkeys.confirm.mutate({ assertion });
    });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const password = String(new FormData(form).get("password") ?? "");
    if (await prove("password", () => trpc.auth.confirmPassword.mutate({ password }))) return;
    form.querySelector<HTMLInputElement>("[name=password]")?.select();
  };

  const problemOf = (way: Way) => (problem?.way === way ? problem.words : null);
  const byPassword = (
    <>
      {/* Password managers look for the name that the password belongs to. */}
      <input type="email" name="email" value={email} readOnly hidden autoComplete="username" />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1_000}
        error={problemOf("password")}
      />
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Back</Button>
        <SubmitButton variant={hasPasskey ? "plain" : "primary"} aria-busy={busy === "password" || undefined}>
          {verb}
        </SubmitButton>
      </DialogActions>
    </>
  );

  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Confirm that it’s you">
      <form className={styles.form} onSubmit={submit}>
        <p className="small muted">
          You proved who you are a while ago. {hasPasskey ? "Use a passkey, or enter" : "Enter"} the password of{" "}
          <b>{email}</b> once more.
        </p>
        {hasPasskey ? (
          <PasskeyOrForm isFirst isBusy={busy === "passkey"} problem={problemOf("passkey")} use={byPasskey}>
            {byPassword}
          </PasskeyOrForm>
        ) : (
          byPassword
        )}
      </form>
    </Dialog>
  );
};
