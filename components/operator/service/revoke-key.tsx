"use client";
import type { OperatorSigningKey } from "#server/trpc/operator/operator-service-views.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** Revokes a signing key. Everything that this key signed becomes invalid. */
export const RevokeKey = ({ kid, state, email }: Pick<OperatorSigningKey, "kid" | "state"> & { email: string }) => {
  const stepUp = useStepUp(email, "Confirm and revoke");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke key ${kid}`} onClick={open}>
        Revoke
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title="Revoke this key?"
        confirmLabel="Revoke key"
        onConfirm={(reason) => run(() => trpc.operatorService.revokeSigningKey.mutate({ kid, reason }))}
      >
        Everything that this key signed becomes invalid immediately, on every node.
        {state === "active" ? " The next key becomes active." : null} This can’t be undone.
      </ReasonDialog>
    </>
  );
};
