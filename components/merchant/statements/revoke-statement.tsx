"use client";
import { RevokeButton } from "../../portal/acts/revoke-button.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";

/** Revokes a software statement of a merchant. */
export const RevokeStatement = ({ statementId, name }: { statementId: string; name: string }) => (
  <RevokeButton
    name={`the statement for ${name}`}
    confirmLabel="Revoke statement"
    revoke={() => trpc.softwareStatements.revoke.mutate({ statementId })}
  >
    No client can be registered with the statement any more. Clients that were registered with it keep working. This
    can’t be undone.
  </RevokeButton>
);
