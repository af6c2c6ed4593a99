"use client";
import { ReasonDialog } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../portal/acts/use-confirm-dialog.ts";
import { Button } from "../ui/button.tsx";

/** Revokes an initial access token. @param merchantId the token's merchant; null for a token that registers agents */
export const RevokeInitialToken = ({
  tokenId,
  merchantId,
  name,
}: {
  tokenId: string;
  merchantId: string | null;
  name: string;
}) => {
  const { open, dialog, run } = useConfirmDialog();
  const clients = merchantId === null ? "agents" : "apps";
  const revoke = (reason: string) =>
    merchantId === null
      ? trpc.operatorAgents.revokeToken.mutate({ tokenId, reason })
      : trpc.operatorMerchants.revokeToken.mutate({ tokenId, merchantId, reason });
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke the token ${name}`} onClick={open}>
        Revoke
      </Button>
      <ReasonDialog
        {...dialog}
        variant="dangerSolid"
        title={`Revoke the token ${name}?`}
        confirmLabel="Revoke token"
        onConfirm={(reason) => run(() => revoke(reason))}
      >
        The token can’t register {clients} any more. The {clients} that were registered with it keep working. This can’t
        be undone.
      </ReasonDialog>
    </>
  );
};
