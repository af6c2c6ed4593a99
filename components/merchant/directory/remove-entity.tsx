"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Removes the merchant's entity from the directory's federation. */
export const RemoveEntity = ({ merchantId, entityId }: { merchantId: string; entityId: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove ${entityId}`} onClick={open}>
        Remove
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Remove ${entityId}?`}
        confirmLabel="Remove entity"
        effects={[
          "The directory no longer confirms the entity. Statements that the directory signed earlier expire within 24 hours.",
          "You can register the entity again at any time.",
        ]}
        onConfirm={() => run(() => trpc.entryFederation.remove.mutate({ merchantId }))}
      />
    </>
  );
};
