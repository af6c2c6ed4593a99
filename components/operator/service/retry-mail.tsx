"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Sends a failed e-mail again. */
export const RetryMail = ({ mailId }: { mailId: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button onClick={open}>Send again</Button>
      <ReasonDialog
        {...dialog}
        title="Send this e-mail again?"
        confirmLabel="Send again"
        onConfirm={(reason) => run(() => trpc.operator.retryMail.mutate({ mailId, reason }))}
      >
        We send it within seconds, and retry for two days if that fails. If the recipient already got it, the mail
        program shows both as one message.
      </ReasonDialog>
    </>
  );
};
