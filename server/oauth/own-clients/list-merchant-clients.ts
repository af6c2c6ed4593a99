import { findClientsOfMerchant, type MerchantClientRow } from "../../data/oauth/clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { thumbprintsOf } from "../client-keys/key-thumbprints.ts";

export type MerchantClient = Omit<MerchantClientRow, "jwks"> & {
  /** thumbprint (RFC 7638) of each key with which the client may sign */
  thumbprints: string[];
};

type Query = {
  merchantId: string;
  /** the id of a client, or a part of its name */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** A merchant's clients, newest first, without deleted ones. */
export const listMerchantClients = async (
  { db }: Pick<Deps, "db">,
  { merchantId, search, startingAfter, limit }: Query,
): Promise<{ clients: MerchantClient[]; hasMore: boolean }> => {
  const rows = await findClientsOfMerchant(db.sql, {
    merchantId,
    search: search ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  const clients = await Promise.all(
    rows.slice(0, limit).map(async ({ jwks, ...client }) => ({
      ...client,
      thumbprints: await thumbprintsOf(jwks.keys),
    })),
  );
  return { clients, hasMore: rows.length > limit };
};
