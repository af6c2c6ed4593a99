"use client";
import { type FormEvent, useState } from "react";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./approval-card.module.css";
import { messageOf, trpc } from "./trpc-client.ts";

/** Asks again who is there, before a risky act; `onProven` goes on with it. */
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
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setIsBusy(true);
    try {
      await trpc.auth.confirmPassword.mutate({ password: String(new FormData(form).get("password") ?? "") });
      setProblem(null);
      await onProven();
    } catch (error) {
      setProblem(messageOf(error));
      form.querySelector<HTMLInputElement>("[name=password]")?.select();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Confirm that it’s you">
      <form className={styles.form} onSubmit={submit}>
        <p className="small muted">
          You proved who you are a while ago. Enter the password of <b>{email}</b> once more.
        </p>
        {/* Password managers look for the name that the password belongs to. */}
        <input type="email" name="email" value={email} readOnly hidden autoComplete="username" />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1_000}
          error={problem}
        />
        <DialogActs>
          <Button onClick={() => onOpenChange(false)}>Back</Button>
          <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
            {verb}
          </SubmitButton>
        </DialogActs>
      </form>
    </Dialog>
  );
};
