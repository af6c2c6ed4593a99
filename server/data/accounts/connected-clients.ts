import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";

/** A client to which a payer gave grants that haven't ended. */
export type ConnectedClient = {
  id: string;
  name: string;
  metadata: unknown;
  connectedAt: Date;
  /** the payer's last approval */
  consentedAt: Date;
  /** active and suspended mandates */
  liveMandates: number;
  scopes: string[];
};

const consentedAt = "max(coalesce(g.replaced_at, g.created_at))";

// `after` is the position of the cursor's client in the list: when the payer last approved its open grants or, if the
// client was disconnected in the meantime, its ended grants.
const connected = statement<ConnectedClient>(
  "find_connected_clients",
  `WITH after AS (
     SELECT coalesce(${consentedAt} FILTER (WHERE g.ended_at IS NULL), ${consentedAt}) AS at
     FROM "grant" g WHERE g.payer_id = $1 AND g.client_id = $5::text
   ), page AS (
     SELECT c.id, c.name, c.metadata, min(g.created_at) AS "connectedAt", ${consentedAt} AS "consentedAt"
     FROM "grant" g JOIN client c ON c.id = g.client_id
     WHERE g.payer_id = $1 AND g.ended_at IS NULL AND ($4::text IS NULL OR strpos(lower(c.name), lower($4)) > 0)
     GROUP BY c.id
     HAVING $5::text IS NULL OR ${consentedAt} < (SELECT at FROM after)
       OR (${consentedAt} = (SELECT at FROM after) AND c.id > $5)
     ORDER BY 5 DESC, c.id LIMIT $3::int
   )
   SELECT page.*,
     (SELECT count(*)::int FROM mandate m WHERE m.payer_id = $1 AND m.client_id = page.id
        AND m.state IN ('active', 'suspended') AND m.valid_until > $2::timestamptz) AS "liveMandates",
     ARRAY(SELECT DISTINCT scope FROM "grant" o, unnest(o.scopes) AS scope
            WHERE o.payer_id = $1 AND o.client_id = page.id AND o.ended_at IS NULL ORDER BY scope) AS scopes
   FROM page ORDER BY "consentedAt" DESC, id`,
);

/**
 * The most recently approved client first. Returns `limit` + 1 if there are more. @param search a part of the client's
 * name; null: all clients. @param startingAfter id of a client
 */
export const findConnectedClients = (
  sql: Sql,
  input: { payerId: string; at: BusinessTime; limit: number; search: string | null; startingAfter: string | null },
): Promise<ConnectedClient[]> =>
  sql.query(connected, [input.payerId, input.at, input.limit + 1, input.search, input.startingAfter]);

const lockOfClient = statement<{ id: string }>(
  "lock_grants_of_payer_with_client",
  `SELECT id FROM "grant" WHERE payer_id = $1 AND client_id = $2 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);
const lockOfPayer = statement<{ id: string }>(
  "lock_grants_of_payer",
  `SELECT id FROM "grant" WHERE payer_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

/** Locks a payer's grants that haven't ended. @param input.clientId null: of all clients. @returns their ids. */
export const lockGrantsOfPayer = async (
  sql: Sql,
  { payerId, clientId }: { payerId: string; clientId: string | null },
): Promise<string[]> => {
  const rows = await (clientId === null
    ? sql.query(lockOfPayer, [payerId])
    : sql.query(lockOfClient, [payerId, clientId]));
  return rows.map(({ id }) => id);
};
