"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; tokenId: string; name: string };

/** Revokes a token with which agents register. */
export const RevokeAgentToken = ({ merchantId, tokenId, name }: Props) => {
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
        onConfirm={() => run(() => trpc.merchantDirectory.revokeToken.mutate({ merchantId, tokenId }))}
      >
        No more agents can register with the token. Agents that registered with it keep working. This can’t be undone.
      </ConfirmDialog>
    </>
  );
};
