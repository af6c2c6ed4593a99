"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** Closes a contradiction and records its result in the audit log. No money moves. */
export const CloseContradiction = ({ contradictionId, email }: { contradictionId: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and close");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" onClick={open}>
        Close
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Close this contradiction?"
        reasonLabel="Result"
        confirmLabel="Close contradiction"
        onConfirm={(reason) => run(() => trpc.operator.closeContradiction.mutate({ contradictionId, reason }))}
      >
        Closing changes no records and moves no money. First correct the payment at the processor, or agree on a
        solution with the merchant.
      </ReasonDialog>
    </>
  );
};
