import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";
import { type ChargeRow, chargeColumns } from "./charges.ts";

export type OperatorCharge = ChargeRow & { merchantName: string };

const columns = `${chargeColumns}, m.display_name AS "merchantName"`;

const list = statement<OperatorCharge>(
  "list_charges_under_review",
  `SELECT ${columns} FROM charge c JOIN merchant m ON m.id = c.merchant_id
    WHERE c.state = 'unknown' AND c.next_lookup_at IS NULL
      AND ($1::text IS NULL OR c.id = $1 OR c.mandate_id = $1 OR strpos(lower(m.display_name), lower($1)) > 0
           OR strpos(lower(c.reference), lower($1)) > 0)
      AND ($2::text IS NULL OR (c.created_at, c.id) > (SELECT a.created_at, a.id FROM charge a
           WHERE a.id = $2 AND a.created_at BETWEEN $3::timestamptz AND $4::timestamptz))
    ORDER BY c.created_at, c.id LIMIT $5::int`,
);

/**
 * Oldest first. Returns `limit` + 1 charges if there are more.
 * @param search an id, or a part of the merchant's name or of the reference.
 */
export const findChargesUnderReview = (
  sql: Sql,
  input: { search: string | null; startingAfter: string | null; limit: number },
): Promise<OperatorCharge[]> =>
  sql.query(list, [input.search, input.startingAfter, ...spanOf(input.startingAfter ?? ""), input.limit + 1]);

export type ChargeOfAnyone = OperatorCharge & { payerEmail: string; agentName: string; merchantAppName: string };

const find = statement<ChargeOfAnyone>(
  "find_charge_of_anyone",
  `SELECT ${columns}, a.email AS "payerEmail", agent.name AS "agentName", app.name AS "merchantAppName"
     FROM charge c JOIN merchant m ON m.id = c.merchant_id JOIN account a ON a.id = c.payer_id
     JOIN client agent ON agent.id = c.agent_client_id JOIN client app ON app.id = c.merchant_client_id
    WHERE c.id = $1 AND c.created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

/** Finds a charge of any merchant, with the names of its parties. */
export const findChargeOfAnyone = async (sql: Sql, id: string): Promise<ChargeOfAnyone | null> =>
  (await sql.query(find, [id, ...spanOf(id)]))[0] ?? null;
