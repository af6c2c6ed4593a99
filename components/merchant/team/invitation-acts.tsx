"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; invitationId: string; invited: string; maySend: boolean; mayCancel: boolean };

/** Sends an open invitation again, or cancels it. */
export const InvitationActs = ({ maySend, mayCancel, ...invitation }: Props) => (
  <span className={styles.acts}>
    {maySend ? <ResendInvitation {...invitation} /> : null}
    {mayCancel ? <CancelInvitation {...invitation} /> : null}
  </span>
);

type ActProps = Omit<Props, "maySend" | "mayCancel">;

const ResendInvitation = ({ merchantId, invitationId, invited }: ActProps) => {
  const router = useRouter();
  const [isSent, setIsSent] = useState(false);
  const { isBusy, notice, perform } = useAct();
  const resend = () =>
    perform(async () => {
      await trpc.team.resend.mutate({ merchantId, invitationId });
      setIsSent(true);
      router.refresh();
    });
  return (
    <>
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={`${isSent ? "Resent" : "Resend the invitation"} to ${invited}`}
        onClick={resend}
      >
        {isSent ? "Resent" : "Resend"}
      </Button>
      {notice}
    </>
  );
};

const CancelInvitation = ({ merchantId, invitationId, invited }: ActProps) => {
  const cancelling = useConfirmDialog();
  return (
    <>
      <Button
        size="small"
        variant="danger"
        aria-label={`Cancel the invitation to ${invited}`}
        onClick={cancelling.open}
      >
        Cancel
      </Button>
      <ConfirmDialog
        {...cancelling.dialog}
        variant="dangerSolid"
        title={`Cancel the invitation to ${invited}?`}
        confirmLabel="Cancel invitation"
        cancelLabel="Keep"
        onConfirm={() => cancelling.run(() => trpc.team.cancel.mutate({ merchantId, invitationId }))}
      >
        The link in the e-mail stops working.
      </ConfirmDialog>
    </>
  );
};
