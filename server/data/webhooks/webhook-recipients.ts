import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

type MandateParties = { id: string; clientId: string; merchantIds: string[] };

const selectOfMandates = statement<MandateParties>(
  "list_webhook_recipients_of_mandates",
  `SELECT m.id, m.client_id AS "clientId", ARRAY(
       SELECT unnest(m.payee_merchant_ids) UNION SELECT c.merchant_id FROM charge c WHERE c.mandate_id = m.id
     ) AS "merchantIds"
     FROM mandate m WHERE m.id = ANY ($1::text[])`,
);

/** @returns for each mandate: its client, the merchants that the mandate names, and the merchants that charged it. */
export const listPartiesOfMandates = async (
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, { clientId: string; merchantIds: readonly string[] }>> =>
  ids.length === 0 ? new Map() : new Map((await sql.query(selectOfMandates, [ids])).map((row) => [row.id, row]));

const selectOfCharges = statement<{ id: string; merchantId: string; clientId: string }>(
  "list_webhook_recipients_of_charges",
  `SELECT c.id, c.merchant_id AS "merchantId", c.agent_client_id AS "clientId"
     FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS wanted (id, earliest, latest)
     JOIN charge c ON c.id = wanted.id AND c.created_at BETWEEN wanted.earliest AND wanted.latest`,
);

/** @returns for each charge its merchant and the mandate's client. */
export const listPartiesOfCharges = async (
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, { clientId: string; merchantId: string }>> => {
  if (ids.length === 0) return new Map();
  const spans = ids.map(spanOf);
  const rows = await sql.query(selectOfCharges, [ids, spans.map(([from]) => from), spans.map(([, to]) => to)]);
  return new Map(rows.map((row) => [row.id, row]));
};
