import { findKeyUses, findOwnClient, type OwnClientRow } from "../../data/merchants/own-clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { thumbprintsOf } from "../client-keys/key-thumbprints.ts";
import { ownClientNotFound } from "./own-client-not-found.ts";

type OwnKey = {
  kid: string | null;
  alg: string | null;
  /** RFC 7638 */
  thumbprint: string;
  lastUsedAt: Date | null;
};

export type OwnClientDetail = Pick<
  OwnClientRow,
  "id" | "kind" | "merchantId" | "name" | "scopes" | "jwksUri" | "keysLoadedAt" | "createdAt"
> & { isFromInitialToken: boolean; dpopBound: boolean; keys: OwnKey[] };

type Query = { merchantId: string; clientId: string };

/** A client of a merchant with its keys. @throws DomainError not_found, also after a deletion. */
export const getOwnClient = async (
  { db }: Pick<Deps, "db">,
  { merchantId, clientId }: Query,
): Promise<OwnClientDetail> => {
  const [row, uses] = await Promise.all([findOwnClient(db.sql, clientId), findKeyUses(db.sql, clientId)]);
  if (row?.merchantId !== merchantId || row.deletedAt !== null) throw ownClientNotFound();
  const { jwks, initialAccessTokenId, deletedAt: _, metadata, ...client } = row;
  const thumbprints = await thumbprintsOf(jwks.keys);
  const isAlone = jwks.keys.length === 1;
  return {
    ...client,
    isFromInitialToken: initialAccessTokenId !== null,
    dpopBound: metadata["dpop_bound_access_tokens"] === true,
    keys: jwks.keys.map(({ kid, alg }, index) => ({
      kid: kid ?? null,
      alg: alg ?? null,
      thumbprint: thumbprints[index] ?? "",
      lastUsedAt: latest(uses.get(kid ?? ""), isAlone ? uses.get("") : undefined),
    })),
  };
};

const latest = (one: Date | undefined, other: Date | undefined): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other ?? null);
