import type { findKeyUse } from "../../../oauth/blocklist/find-key-use.ts";
import type { listBlockedClientKeys } from "../../../oauth/blocklist/list-blocked-client-keys.ts";

type ListedKey = Awaited<ReturnType<typeof listBlockedClientKeys>>["keys"][number];
type KeyUse = Awaited<ReturnType<typeof findKeyUse>>;

export const toBlockedKey = ({ thumbprint, reason, blockedByEmail, blockedAt, clients }: ListedKey) => ({
  thumbprint,
  reason,
  /** null: the account was deleted */
  blockedBy: blockedByEmail,
  blockedAt: blockedAt.toISOString(),
  clients,
});

export const toKeyUse = ({ thumbprint, isBlocked, users, total }: KeyUse) => ({
  thumbprint,
  isBlocked,
  /** the number of all clients with this key; `clients` has the first of them */
  total,
  clients: users.map(({ id, name, kind, merchantName, keys }) => ({
    id,
    name,
    kind,
    merchantName,
    /** the client has no other key, so it can't authenticate after this key is blocked */
    isOnlyKey: keys === 1,
  })),
});

export type OperatorBlockedKey = ReturnType<typeof toBlockedKey>;
export type OperatorKeyUse = ReturnType<typeof toKeyUse>;
