"use client";
import { RevokeButton } from "../../portal/acts/revoke-button.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";

/** Revokes an initial access token of a merchant. */
export const RevokeToken = ({ tokenId, name }: { tokenId: string; name: string }) => (
  <RevokeButton name={name} confirmLabel="Revoke token" revoke={() => trpc.apps.revokeToken.mutate({ tokenId })}>
    The token can’t register apps any more. Apps that were registered with it keep working. This can’t be undone.
  </RevokeButton>
);
