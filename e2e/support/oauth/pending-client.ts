import { randomUUID } from "node:crypto";
import type { AuthenticatedClient, PendingClient } from "#server/contract/callers.ts";
import type { Deps } from "#server/deps/deps.ts";
import { type Introspection, introspectToken } from "#server/oauth/tokens/introspect-token.ts";

/** A client that a verified assertion identifies. Each call uses a new assertion. */
const pendingClient = ({ clock }: Pick<Deps, "clock">, client: AuthenticatedClient): PendingClient => ({
  client,
  async settle(consume) {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const { id: clientId, version } = client;
    const consumed = await consume({ clientId, version, jti: randomUUID(), expiresAt });
    return { client, consumed, isCurrent: true };
  },
  ensureSettled: () => Promise.resolve(),
});

/** What the introspection endpoint returns to this client. */
export const introspectAs = async (deps: Deps, client: AuthenticatedClient, token: string): Promise<Introspection> =>
  (await introspectToken(deps, { pending: pendingClient(deps, client), token, isAnswerable: true })).introspection;
