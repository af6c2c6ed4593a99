"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { participantId: string; name: string; isSuspended: boolean; isServer: boolean; email: string };

/**
 * Suspends an entry of the directory or lifts the suspension. @param isServer the entry is a listed
 * authorization server. @param email the operator's, for a new authentication
 */
export const SuspendEntry = ({ participantId, name, isSuspended, isServer, email }: Props) => {
  const stepUp = useStepUp(email, isSuspended ? "Confirm and lift suspension" : "Confirm and suspend");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const { suspend, resume } = trpc.operatorDirectory;
  return (
    <>
      <Button size="small" variant={isSuspended ? "primary" : "danger"} onClick={open}>
        {isSuspended ? "Lift suspension" : "Suspend"}
      </Button>
      {isSuspended ? (
        <ReasonDialog
          {...dialog}
          stepUp={stepUp.dialog}
          title={`Lift the suspension of the entry ${name}?`}
          confirmLabel="Lift suspension"
          onConfirm={(reason) => run(() => resume.mutate({ participantId, reason }))}
        >
          {isServer
            ? "The directory shows the server as it was before. If the server isn’t withdrawn, the checks of its metadata continue."
            : "The entry’s clients on verified domains are shown as verified again, unless the entry is withdrawn or its merchant is suspended."}
        </ReasonDialog>
      ) : (
        <ReasonDialog
          {...dialog}
          stepUp={stepUp.dialog}
          variant="dangerSolid"
          title={`Suspend the entry ${name}?`}
          confirmLabel="Suspend entry"
          onConfirm={(reason) => run(() => suspend.mutate({ participantId, reason }))}
        >
          {isServer ? serverEffects : ownerEffects}
        </ReasonDialog>
      )}
    </>
  );
};

const serverEffects =
  "The directory shows the server as suspended and no longer checks its metadata. The change is public in the directory’s log, without your reason.";
const ownerEffects =
  "The directory shows the entry as suspended, and its owner can’t change it. Its clients keep working, but payers see them as not verified. Its software statements and tokens for agents aren’t accepted. The change is public in the directory’s log, without your reason. To stop a merchant’s charges, suspend the merchant.";
