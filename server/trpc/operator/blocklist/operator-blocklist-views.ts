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
  /** of all clients with this key; `clients` are the first of them */
  total,
  clients: users.map(({ id, name, kind, merchantName, keys }) => ({
    id,
    name,
    kind,
    merchantName,
    /** it has no other key, so it can't authenticate afterwards */
    isOnlyKey: keys === 1,
  })),
});

export type OperatorBlockedKey = ReturnType<typeof toBlockedKey>;
export type OperatorKeyUse = ReturnType<typeof toKeyUse>;
