"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Revokes a software statement of a merchant. */
export const RevokeStatement = ({ statementId, name }: { statementId: string; name: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke the statement for ${name}`} onClick={open}>
        Revoke
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Revoke the statement for ${name}?`}
        confirmLabel="Revoke statement"
        onConfirm={() => run(() => trpc.softwareStatements.revoke.mutate({ statementId }))}
      >
        No client can be registered with the statement any more. Clients that were registered with it keep working. This
        can’t be undone.
      </ConfirmDialog>
    </>
  );
};
