"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { target: string; kind: "operator" | "invitation"; email: string };

/** Removes an operator, or cancels a pending invitation. */
export const RemoveOperator = ({ target, kind, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and remove");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const isOperator = kind === "operator";
  return (
    <>
      <Button
        size="small"
        variant="danger"
        aria-label={isOperator ? `Remove ${target}` : `Cancel the invitation to ${target}`}
        onClick={open}
      >
        {isOperator ? "Remove" : "Cancel"}
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={isOperator ? `Remove ${target}?` : `Cancel the invitation to ${target}?`}
        confirmLabel={isOperator ? "Remove operator" : "Cancel invitation"}
        cancelLabel={isOperator ? "Cancel" : "Keep"}
        onConfirm={(reason) => run(() => trpc.operatorTeam.remove.mutate({ email: target, reason }))}
      >
        {isOperator
          ? "This person immediately loses access to the console. The account and its wallet are kept."
          : "The link stops working."}
      </ReasonDialog>
    </>
  );
};
