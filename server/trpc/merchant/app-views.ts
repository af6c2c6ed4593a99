import type { ListedInitialAccessToken } from "../../data/directory/initial-access-tokens.ts";
import type { OwnClientDetail } from "../../oauth/own-clients/get-own-client.ts";
import type { MerchantClient } from "../../oauth/own-clients/list-merchant-clients.ts";

/** Plain JSON for the pages, with times as RFC 3339 texts. */
export const toApp = ({ createdAt, ...client }: MerchantClient) => ({ ...client, createdAt: createdAt.toISOString() });

export const toAppDetail = ({ createdAt, keysLoadedAt, keys, merchantId: _, ...client }: OwnClientDetail) => ({
  ...client,
  keysLoadedAt: keysLoadedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  keys: keys.map(({ lastUsedAt, ...key }) => ({ ...key, lastUsedAt: lastUsedAt?.toISOString() ?? null })),
});

export const toInitialToken = (token: ListedInitialAccessToken, now: Date) => ({
  id: token.id,
  label: token.label,
  scopes: token.scopes,
  usesLeft: token.usesLeft,
  state: stateOf(token, now),
  maker: token.maker,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
});

type State = "live" | "spent" | "expired" | "revoked";

const stateOf = ({ revokedAt, usesLeft, expiresAt }: ListedInitialAccessToken, now: Date): State => {
  if (revokedAt !== null) return "revoked";
  if (usesLeft === 0) return "spent";
  return expiresAt > now ? "live" : "expired";
};

export type MerchantAppDetail = ReturnType<typeof toAppDetail>;
export type MerchantApp = ReturnType<typeof toApp>;
export type InitialToken = ReturnType<typeof toInitialToken>;
