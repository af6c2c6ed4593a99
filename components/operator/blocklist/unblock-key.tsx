"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** Removes a key from the blocklist. */
export const UnblockKey = ({ thumbprint, email }: { thumbprint: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and unblock");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Unblock key ${thumbprint}`} onClick={open}>
        Unblock
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title="Unblock this key?"
        confirmLabel="Unblock key"
        onConfirm={(reason) => run(() => trpc.operatorBlocklist.unblock.mutate({ thumbprint, reason }))}
      >
        Clients that have this key can use it again immediately. If the key leaked, anyone who has it can use it too.
        Revoked tokens aren’t restored.
      </ReasonDialog>
    </>
  );
};
