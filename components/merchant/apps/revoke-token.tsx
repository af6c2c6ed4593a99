"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Revokes an initial access token of a merchant. */
export const RevokeToken = ({ tokenId, name }: { tokenId: string; name: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke ${name}`} onClick={open}>
        Revoke
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Revoke ${name}?`}
        confirmLabel="Revoke token"
        onConfirm={() => run(() => trpc.apps.revokeToken.mutate({ tokenId }))}
      >
        The token can’t register apps any more. Apps that were registered with it keep working. This can’t be undone.
      </ConfirmDialog>
    </>
  );
};
