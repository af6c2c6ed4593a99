"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { clientId: string; thumbprint: string; kid: string; email: string };

/** Removes one of several keys of an app. */
export const RemoveKey = ({ clientId, thumbprint, kid, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and remove");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove key ${kid}`} onClick={open}>
        Remove
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Remove this key?"
        confirmLabel="Remove key"
        variant="dangerSolid"
        effects={[
          "Assertions signed with this key are refused immediately.",
          "Access tokens that were already issued stay valid until they expire.",
        ]}
        onConfirm={() => run(() => trpc.apps.removeKey.mutate({ clientId, thumbprint }))}
      />
    </>
  );
};
