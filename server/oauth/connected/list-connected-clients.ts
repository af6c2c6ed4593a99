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

/** Maximum number of listed clients: more than a person would read. */
const maxClients = 200;

/** The clients that can act for a payer, most recently approved first. @param input.search a part of the client's name */
export const listConnectedClients = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { payerId, search }: { payerId: string; search?: string | undefined },
): Promise<ConnectedClientView[]> => {
  const at = await deps.businessClock.now();
  const clients = await findConnectedClients(deps.db.sql, { payerId, at, limit: maxClients, search: search ?? null });
  return clients.map(({ metadata, ...client }) => ({ ...client, website: hostOf(metadata) }));
};

const hostOf = (metadata: unknown): string | null => {
  const uri: unknown = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "client_uri") : null;
  return typeof uri === "string" && URL.canParse(uri) ? new URL(uri).host : null;
};
