"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { clientId: string; name: string; isAgent: boolean; email: string };

/** Ends a client and everything that belongs to it. @param email the operator's, for a new authentication */
export const DeleteClient = ({ clientId, name, isAgent, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and delete");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Delete
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Delete ${name}?`}
        confirmLabel="Delete client"
        onConfirm={(reason) => run(() => trpc.operatorClients.delete.mutate({ clientId, reason }))}
      >
        {isAgent
          ? "All its mandates and grants end, and its tokens become invalid immediately. Charges that were already sent to a processor are still settled, and authorized charges can still be captured."
          : "Its tokens become invalid immediately, and the merchant can’t use this client any more. The merchant keeps its charges and its other clients."}{" "}
        This can’t be undone.
      </ReasonDialog>
    </>
  );
};
