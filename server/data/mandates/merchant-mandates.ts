import type { MandateState } from "../../mandates/rules/transitions.ts";
import { type Sql, statement } from "../client.ts";

export type MerchantMandateRow = {
  id: string;
  /** at the time `at` */
  state: MandateState;
  client: { id: string; name: string };
  /** whether the mandate names the merchant as a payee */
  isNamed: boolean;
  validUntil: Date;
  since: Date;
};

/** The position of a row in the list. */
type MerchantMandatePlace = { since: Date; id: string };

export type MerchantMandateFilter = {
  merchantId: string;
  states: readonly MandateState[] | null;
  /** id of the mandate or of its client, or a part of the client's name; null: all */
  search: string | null;
  at: Date;
  after: MerchantMandatePlace | null;
  limit: number;
};

/** A search reads at most this many of the merchant's mandates. The next page continues after them. */
const scanned = 2_000;

const stateAt = (time: string) =>
  `CASE WHEN m.state IN ('active', 'suspended') AND m.valid_until <= ${time} THEN 'expired' ELSE m.state::text END`;

const list = statement<Partial<MerchantMandateRow> & { scans: number; edgeSince: Date | null; edgeId: string | null }>(
  "list_merchant_mandates",
  `WITH scan AS (
     SELECT mandate_id, since FROM merchant_mandate
      WHERE merchant_id = $1 AND (since, mandate_id) < ($2::timestamptz, $3)
      ORDER BY since DESC, mandate_id DESC LIMIT ${scanned}
   ), named AS (
     SELECT mandate_id, since FROM merchant_mandate
      WHERE merchant_id = $1 AND mandate_id = $6 AND (since, mandate_id) < ($2::timestamptz, $3)
   ), found AS (
     SELECT m.id, ${stateAt("$4::timestamptz")} AS state, json_build_object('id', c.id, 'name', c.name) AS client,
            $1 = ANY (m.payee_merchant_ids) AS "isNamed", m.valid_until AS "validUntil", s.since
       FROM (SELECT * FROM scan UNION SELECT * FROM named ORDER BY since DESC, mandate_id DESC) s
       JOIN mandate m ON m.id = s.mandate_id JOIN client c ON c.id = m.client_id
      WHERE ($5::text[] IS NULL OR ${stateAt("$4::timestamptz")} = ANY ($5))
        AND ($6::text IS NULL OR m.id = $6 OR c.id = $6 OR strpos(lower(c.name), lower($6)) > 0)
      ORDER BY s.since DESC, m.id DESC LIMIT $7::int
   )
   SELECT (SELECT count(*) FROM scan)::int AS scans,
          (SELECT since FROM scan ORDER BY since, mandate_id LIMIT 1) AS "edgeSince",
          (SELECT mandate_id FROM scan ORDER BY since, mandate_id LIMIT 1) AS "edgeId", f.*
     FROM (SELECT 1) one LEFT JOIN found f ON true ORDER BY f.since DESC, f.id DESC`,
);

export type MerchantMandatePage = {
  /** newest first, at most `limit` */
  mandates: MerchantMandateRow[];
  /** null: this is the last page */
  next: MerchantMandatePlace | null;
};

export const listMerchantMandates = async (sql: Sql, filter: MerchantMandateFilter): Promise<MerchantMandatePage> => {
  const { merchantId, states, search, at, after, limit } = filter;
  const place = [after?.since ?? "infinity", after?.id ?? ""];
  const rows = await sql.query(list, [merchantId, ...place, at, states, search, limit + 1]);
  const found = rows.filter((row) => typeof row.id === "string") as MerchantMandateRow[];
  const mandates = found.slice(0, limit).map(({ id, state, client, isNamed, validUntil, since }) => ({
    id,
    state,
    client,
    isNamed,
    validUntil,
    since,
  }));
  // A search by id finds one mandate. If it is older than the scanned rows, each later page would find it again.
  if (mandates.some(({ id }) => id === search)) return { mandates, next: null };
  const last = mandates.at(-1);
  if (last && found.length > limit) return { mandates, next: { since: last.since, id: last.id } };
  const [first] = rows;
  if (first?.scans !== scanned || !first.edgeSince || !first.edgeId) return { mandates, next: null };
  return { mandates, next: { since: first.edgeSince, id: first.edgeId } };
};

const find = statement<{ payerId: string; since: Date; isNamed: boolean }>(
  "find_merchant_mandate",
  `SELECT m.payer_id AS "payerId", r.since, r.merchant_id = ANY (m.payee_merchant_ids) AS "isNamed"
     FROM merchant_mandate r JOIN mandate m ON m.id = r.mandate_id
    WHERE r.merchant_id = $1 AND r.mandate_id = $2`,
);

/** Null for a mandate that neither names the merchant nor was charged by it. */
export const findMerchantMandate = async (
  sql: Sql,
  { merchantId, mandateId }: { merchantId: string; mandateId: string },
): Promise<{ payerId: string; since: Date; isNamed: boolean } | null> =>
  (await sql.query(find, [merchantId, mandateId]))[0] ?? null;
