"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { accountId: string; name: string; email: string };

/** Signs an account out everywhere. @param email the operator's, for a new authentication */
export const SignOutPayer = ({ accountId, name, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and end");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        End all sessions
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`End all sessions of ${name}?`}
        confirmLabel="End all sessions"
        onConfirm={(reason) => run(() => trpc.operatorPayers.signOut.mutate({ accountId, reason }))}
      >
        The person is signed out in every browser immediately, and can sign in again. Their password, passkeys, mandates
        and connected apps don’t change. We e-mail the person. The e-mail doesn’t contain your reason.
      </ReasonDialog>
    </>
  );
};
