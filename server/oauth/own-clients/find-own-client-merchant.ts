import { findOwnClient } from "../../data/merchants/own-clients.ts";
import type { Deps } from "../../deps/deps.ts";

/** The merchant of a client, for the access decision; null for an agent and for an unknown client. */
export const findOwnClientMerchant = async (
  { db }: Pick<Deps, "db">,
  { clientId }: { clientId: string },
): Promise<string | null> => (await findOwnClient(db.sql, clientId))?.merchantId ?? null;
