"use client";
import { useState } from "react";
import { invitedText } from "../../format/invited-text.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import styles from "./invite-merchant.module.css";

/**
 * E-mails a link to a person who then registers a merchant.
 * @param email of the reader
 * @param keepsMail the server keeps e-mail in the operators' outbox instead of sending it
 */
export const InviteMerchant = ({ email, keepsMail }: { email: string; keepsMail: boolean }) => {
  const stepUp = useStepUp(email, "Confirm and send");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [invited, setInvited] = useState<string | null>(null);
  const send = (form: FormData) =>
    run(async () => {
      const recipient = textField(form, "email");
      await trpc.operatorMerchants.invite.mutate({ email: recipient, reason: textField(form, "reason") });
      setInvited(recipient);
    });
  return (
    <div className={styles.act}>
      <Button variant="primary" size="small" onClick={open}>
        Invite merchant
      </Button>
      <p className="small muted" role="status">
        {invited === null ? null : invitedText(invited, keepsMail)}
      </p>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Invite a merchant"
        confirmLabel="Send invitation"
        fields={
          <>
            <Field label="E-mail" name="email" type="email" required maxLength={254} autoComplete="off" />
            <ReasonField />
          </>
        }
        onConfirm={send}
      >
        We e-mail a link that is valid for seven days. The person creates an account, if needed, and registers the
        merchant. If the merchant needs approval, operators get an e-mail.
      </ConfirmDialog>
    </div>
  );
};
