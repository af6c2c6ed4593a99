import { type Sql, statement } from "../client.ts";

const merchants = statement<{ id: string; name: string }>(
  "find_payer_merchants",
  `WITH RECURSIVE used AS (
     (SELECT merchant_id FROM charge WHERE payer_id = $1 ORDER BY merchant_id LIMIT 1)
     UNION ALL
     SELECT (SELECT c.merchant_id FROM charge c WHERE c.payer_id = $1 AND c.merchant_id > used.merchant_id
             ORDER BY c.merchant_id LIMIT 1) FROM used WHERE used.merchant_id IS NOT NULL
   )
   SELECT s.id, s.display_name AS name FROM (SELECT merchant_id FROM used WHERE merchant_id IS NOT NULL LIMIT $2::int) u
     JOIN merchant s ON s.id = u.merchant_id ORDER BY s.display_name, s.id`,
);

/** The merchants that charged the payer, for a selection list. Reads one row of the index per merchant. */
export const findPayerMerchants = (sql: Sql, payerId: string, limit: number): Promise<{ id: string; name: string }[]> =>
  sql.query(merchants, [payerId, limit]);

const clients = statement<{ id: string; name: string }>(
  "find_payer_clients",
  `SELECT c.id, c.name FROM client c WHERE c.id IN (SELECT client_id FROM mandate WHERE payer_id = $1 AND state <> 'rejected')
   ORDER BY c.name, c.id LIMIT $2::int`,
);

/** The agents with a mandate of the payer, for a selection list. */
export const findPayerClients = (sql: Sql, payerId: string, limit: number): Promise<{ id: string; name: string }[]> =>
  sql.query(clients, [payerId, limit]);

export type SpendRow = {
  clientId: string;
  clientName: string;
  currency: string;
  spent: bigint;
  count: number;
  isPartial: boolean;
};

const spend = statement<SpendRow>(
  "sum_payer_spend",
  `WITH newest AS MATERIALIZED (
     SELECT agent_client_id, currency, amount_captured - amount_refunded AS spent FROM charge
      WHERE payer_id = $1 AND created_at >= $2::timestamptz AND created_at < $3::timestamptz
      ORDER BY created_at DESC, id DESC LIMIT $4::int)
   SELECT n.agent_client_id AS "clientId", a.name AS "clientName", n.currency, sum(n.spent)::bigint AS spent,
     count(*) FILTER (WHERE n.spent > 0)::int AS count, (SELECT count(*) FROM newest) = $4::int AS "isPartial"
    FROM newest n JOIN client a ON a.id = n.agent_client_id
    GROUP BY 1, 2, 3 HAVING sum(n.spent) > 0 ORDER BY 3, 4 DESC, 1`,
);

/**
 * What the payer's agents spent, after refunds. @param input.limit how many charges are read; the newest are read first
 */
export const sumPayerSpend = (
  sql: Sql,
  input: { payerId: string; from: Date; to: Date; limit: number },
): Promise<SpendRow[]> => sql.query(spend, [input.payerId, input.from, input.to, input.limit]);

const fingerprints = statement<{ payerId: string; fingerprint: string | null }>(
  "find_payer_activity_fingerprints",
  `SELECT p.id AS "payerId", (SELECT md5(string_agg(c.id || c.state::text || coalesce(c.approved_at::text, ''), ',' ORDER BY c.id))
     FROM (SELECT id, state, approved_at FROM charge WHERE payer_id = p.id ORDER BY created_at DESC, id DESC LIMIT $2::int) c) AS fingerprint
   FROM unnest($1::text[]) AS p (id)`,
);

/** A value for each payer, which changes whenever the payer's newest charges or their states change. */
export const findActivityFingerprints = (
  sql: Sql,
  { payerIds, limit }: { payerIds: readonly string[]; limit: number },
): Promise<{ payerId: string; fingerprint: string | null }[]> => sql.query(fingerprints, [payerIds, limit]);
