"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** Withdraws a listed authorization server. @param email the operator's, for a new authentication */
export const WithdrawServer = ({
  participantId,
  name,
  email,
}: {
  participantId: string;
  name: string;
  email: string;
}) => {
  const stepUp = useStepUp(email, "Confirm and withdraw");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Withdraw
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Withdraw the entry ${name}?`}
        confirmLabel="Withdraw entry"
        onConfirm={(reason) => run(() => trpc.operatorDirectory.withdrawServer.mutate({ participantId, reason }))}
      >
        The directory shows the server as withdrawn and no longer checks its metadata. The page, the history and the
        keys stay public. You can list the server again. The change is public in the directory’s log, without your
        reason.
      </ReasonDialog>
    </>
  );
};
