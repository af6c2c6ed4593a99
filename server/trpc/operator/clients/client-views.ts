import { z } from "zod";
import type { FoundClient } from "../../../data/operators/client-search.ts";
import type { ClientForOperator } from "../../../operators/clients/get-oauth-client.ts";
import { toAuditEntry } from "../operator-views.ts";

/** Plain JSON for the operator pages. */
export const toFoundClient = ({ createdAt, ...client }: FoundClient) => ({
  ...client,
  createdAt: createdAt.toISOString(),
});

/** The metadata that the page shows. Members of unexpected types are left out. */
const shownMetadata = z.object({
  client_uri: z.string().nullable().catch(null).default(null),
  policy_uri: z.string().nullable().catch(null).default(null),
  tos_uri: z.string().nullable().catch(null).default(null),
  software_id: z.string().nullable().catch(null).default(null),
  software_version: z.string().nullable().catch(null).default(null),
  contacts: z.array(z.string()).catch([]).default([]),
});

export const toClientForOperator = ({ client, keys, holdings, history }: ClientForOperator) => {
  const { metadata, keysLoadedAt, deletedAt, initialAccessTokenId, ...rest } = client;
  return {
    ...rest,
    metadata: shownMetadata.parse(metadata),
    keysLoadedAt: keysLoadedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
    isFromInitialToken: initialAccessTokenId !== null,
    keys: keys.map(({ lastUsedAt, ...key }) => ({ ...key, lastUsedAt: lastUsedAt?.toISOString() ?? null })),
    holdings,
    history: history.map(toAuditEntry),
    createdAt: client.createdAt.toISOString(),
  };
};

export type OperatorFoundClient = ReturnType<typeof toFoundClient>;
export type OperatorClient = ReturnType<typeof toClientForOperator>;
