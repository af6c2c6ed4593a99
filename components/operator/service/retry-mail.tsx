"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Resends a failed e-mail. */
export const RetryMail = ({ mailId }: { mailId: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button onClick={open}>Resend</Button>
      <ReasonDialog
        {...dialog}
        title="Resend this e-mail?"
        confirmLabel="Resend"
        onConfirm={(reason) => run(() => trpc.operator.retryMail.mutate({ mailId, reason }))}
      >
        We send the e-mail within seconds. If that fails, we retry for up to two days. The new copy has the same message
        ID. If an earlier copy arrived, many mail programs show only one of them.
      </ReasonDialog>
    </>
  );
};
