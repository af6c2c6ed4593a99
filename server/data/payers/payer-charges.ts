import type { ChargeState, Decline, NextAction } from "../../charges/rules/charge-states.ts";
import type { Place } from "../../kernel/pagination.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";

/** A charge with the names that its payer knows. */
export type PayerChargeRow = {
  id: string;
  state: ChargeState;
  amount: bigint;
  currency: string;
  amountCaptured: bigint;
  amountRefunded: bigint;
  reference: string | null;
  decline: Decline | null;
  nextAction: NextAction | null;
  createdAt: Date;
  mandateId: string;
  purpose: string;
  merchantId: string;
  merchantName: string;
  clientId: string;
  clientName: string;
};

export type PayerChargeFilters = {
  mandateId: string | null;
  clientId: string | null;
  merchantId: string | null;
  states: readonly ChargeState[] | null;
  createdFrom: Date | null;
  createdTo: Date | null;
};

const columns = `c.id, c.state::text AS state, c.amount, c.currency, c.amount_captured AS "amountCaptured",
  c.amount_refunded AS "amountRefunded", c.reference, c.decline, c.next_action AS "nextAction",
  c.created_at AS "createdAt", c.mandate_id AS "mandateId", m.purpose, c.merchant_id AS "merchantId",
  s.display_name AS "merchantName", c.agent_client_id AS "clientId", a.name AS "clientName"`;
const names =
  "JOIN mandate m ON m.id = c.mandate_id JOIN merchant s ON s.id = c.merchant_id JOIN client a ON a.id = c.agent_client_id";

/**
 * Newest first; `limit` + 1 rows if there are more. Each combination of filters is a separate statement. A filter with
 * its own index decides where the rows come from: the rows of each mandate, or of each state, are read in order, and
 * only a page of each. So a rare state or an agent with few charges is found without reading a long history.
 */
export const findPayerChargePage = (
  sql: Sql,
  input: PayerChargeFilters & { payerId: string; after: Place | null; limit: number },
): Promise<PayerChargeRow[]> => {
  const { payerId, mandateId, clientId, merchantId, states, createdFrom, createdTo, after, limit } = input;
  const values: SqlValue[] = [payerId];
  const bind = (value: SqlValue, type: string) => `$${values.push(value)}::${type}`;
  const sorted = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${bind(limit + 1, "int")}`;
  const conditions = ["c.payer_id = $1"];
  if (merchantId !== null) conditions.push(`c.merchant_id = ${bind(merchantId, "text")}`);
  if (createdFrom) conditions.push(`c.created_at >= ${bind(createdFrom, "timestamptz")}`);
  if (createdTo) conditions.push(`c.created_at < ${bind(createdTo, "timestamptz")}`);
  if (after) conditions.push(`(c.created_at, c.id) < (${bind(after.at, "timestamptz")}, ${bind(after.id, "text")})`);
  const source = sourceOf({ mandateId, clientId, states }, bind);
  if (source.condition) conditions.push(source.condition);
  const page = `SELECT * FROM charge c WHERE ${conditions.join(" AND ")} ${sorted}`;
  const from = source.each ? `${source.each} AS source CROSS JOIN LATERAL (${page}) c` : `(${page}) c`;
  const key = [
    source.key,
    ...(merchantId === null ? [] : ["merchant"]),
    ...(createdFrom ? ["from"] : []),
    ...(createdTo ? ["to"] : []),
    ...(after ? ["after"] : []),
  ];
  return sql.query(
    statement<PayerChargeRow>(`payer_charges:${key.join(",")}`, `SELECT ${columns} FROM ${from} ${names} ${sorted}`),
    values,
  );
};

type Source = {
  key: string;
  /** one row per index range; absent: a single range */
  each?: string;
  condition?: string;
};

/** Most charges succeed, so this state narrows a list less than an agent or a mandate. All other states are rare. */
const isRare = (states: readonly ChargeState[]): boolean => !states.includes("succeeded");

const sourceOf = (
  { mandateId, clientId, states }: Pick<PayerChargeFilters, "mandateId" | "clientId" | "states">,
  bind: (value: SqlValue, type: string) => string,
): Source => {
  const list = states && `${bind([...states], "text[]")}::charge_state[]`;
  const owner = mandateId !== null ? "mandate" : clientId !== null ? "client" : "all";
  if (states && (isRare(states) || owner === "all")) {
    const conditions = ["c.state = source"];
    if (owner === "mandate") conditions.push(`c.mandate_id = ${bind(mandateId, "text")}`);
    if (owner === "client") conditions.push(`c.agent_client_id = ${bind(clientId, "text")}`);
    return { key: `${owner},states`, each: `unnest(${list})`, condition: conditions.join(" AND ") };
  }
  if (owner === "all") return { key: owner };
  const [key, inStates] = list ? [`${owner},paid`, ` AND c.state = ANY (${list})`] : [owner, ""];
  if (owner === "mandate") return { key, condition: `c.mandate_id = ${bind(mandateId, "text")}${inStates}` };
  const each = `(SELECT m.id FROM mandate m WHERE m.payer_id = $1 AND m.client_id = ${bind(clientId, "text")})`;
  return { key, each, condition: `c.mandate_id = source.id${inStates}` };
};

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

/** What the payer's agents spent, after refunds. @param input.limit how many charges are read; the newest are read first */
export const sumPayerSpend = (
  sql: Sql,
  input: { payerId: string; from: Date; to: Date; limit: number },
): Promise<SpendRow[]> => sql.query(spend, [input.payerId, input.from, input.to, input.limit]);

const prints = statement<{ payerId: string; print: string | null }>(
  "find_payer_activity_prints",
  `SELECT p.id AS "payerId", (SELECT md5(string_agg(c.id || c.state::text || coalesce(c.approved_at::text, ''), ',' ORDER BY c.id))
     FROM (SELECT id, state, approved_at FROM charge WHERE payer_id = p.id ORDER BY created_at DESC, id DESC LIMIT $2::int) c) AS print
   FROM unnest($1::text[]) AS p (id)`,
);

/** A value for each payer that changes with the newest charges and their states. */
export const findActivityPrints = (
  sql: Sql,
  { payerIds, limit }: { payerIds: readonly string[]; limit: number },
): Promise<{ payerId: string; print: string | null }[]> => sql.query(prints, [payerIds, limit]);
