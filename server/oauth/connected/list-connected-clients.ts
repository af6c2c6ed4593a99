import { findConnectedClients } from "../../data/accounts/connected-clients.ts";
import type { Deps } from "../../deps/deps.ts";

export type ConnectedClientView = {
  id: string;
  name: string;
  /** host of its website, without proof that the website belongs to the client; null: not given */
  website: string | null;
  connectedAt: Date;
  consentedAt: Date;
  liveMandates: number;
  scopes: readonly string[];
};

/**
 * A page of the clients that can act for a payer, most recently approved first. @param input.search a part of the
 * client's name. @param input.startingAfter id of a client
 */
export const listConnectedClients = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { payerId: string; search?: string | undefined; startingAfter?: string | undefined; limit: number },
): Promise<{ clients: ConnectedClientView[]; hasMore: boolean }> => {
  const { payerId, search = null, startingAfter = null, limit } = input;
  const at = await deps.businessClock.now();
  const rows = await findConnectedClients(deps.db.sql, { payerId, at, limit, search, startingAfter });
  const clients = rows.slice(0, limit).map(({ metadata, ...client }) => ({ ...client, website: hostOf(metadata) }));
  return { clients, hasMore: rows.length > limit };
};

const hostOf = (metadata: unknown): string | null => {
  const uri: unknown = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "client_uri") : null;
  return typeof uri === "string" && URL.canParse(uri) ? new URL(uri).host : null;
};
