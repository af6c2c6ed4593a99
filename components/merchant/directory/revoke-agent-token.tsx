"use client";
import { RevokeButton } from "../../portal/acts/revoke-button.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";

type Props = { merchantId: string; tokenId: string; name: string };

/** Revokes a token with which agents register. */
export const RevokeAgentToken = ({ merchantId, tokenId, name }: Props) => (
  <RevokeButton
    name={name}
    confirmLabel="Revoke token"
    revoke={() => trpc.merchantDirectory.revokeToken.mutate({ merchantId, tokenId })}
  >
    No more agents can register with the token. Agents that registered with it keep working. This can’t be undone.
  </RevokeButton>
);
