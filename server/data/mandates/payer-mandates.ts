import { type Sql, statement } from "../client.ts";

/** Selects a payer's mandates: those that can still be charged or resumed, or those that have ended. */
export type MandateShow = "live" | "ended";

export type MandatePage = {
  payerId: string;
  show: MandateShow;
  /** part of the name of the client or of a merchant, of the purpose or of a category; null: all */
  search: string | null;
  startingAfter: string | null;
  limit: number;
  at: Date;
};

// A mandate has expired as soon as its validity ends, even if the job hasn't recorded the expiry yet.
const isLive = (at: string) => `(m.state IN ('active', 'suspended') AND m.valid_until > ${at}::timestamptz)`;

// Without a cursor, the page starts at infinity. One condition covers both cases, so that the index is used.
const pageOf = statement<{ id: string }>(
  "find_payer_mandate_page",
  `SELECT m.id FROM mandate m JOIN client c ON c.id = m.client_id
    WHERE m.payer_id = $1 AND m.state <> 'rejected' AND ${isLive("$2")} = $3::boolean
      AND (m.created_at, m.id) < (
        CASE WHEN $4::text IS NULL THEN 'infinity' ELSE (SELECT p.created_at FROM mandate p WHERE p.id = $4 AND p.payer_id = $1) END,
        coalesce($4::text, ''))
      AND ($5::text IS NULL OR strpos(lower(concat_ws(E'\\n', c.name, m.purpose, array_to_string(m.payee_categories, E'\\n'),
          (SELECT string_agg(h.display_name, E'\\n') FROM merchant h WHERE h.id = ANY (m.payee_merchant_ids)))), lower($5)) > 0)
    ORDER BY m.created_at DESC, m.id DESC LIMIT $6::int`,
);

/** Ids, newest first. Returns `limit` + 1 if there are more, and none after a cursor of another payer. */
export const findPayerMandateIds = async (sql: Sql, page: MandatePage): Promise<string[]> => {
  const { payerId, at, show, startingAfter, search, limit } = page;
  const rows = await sql.query(pageOf, [payerId, at, show === "live", startingAfter, search, limit + 1]);
  return rows.map(({ id }) => id);
};

export type MandateOverview = {
  active: number;
  suspended: number;
  /** ids: active before suspended, newest first */
  newest: string[];
  /** ids of active mandates with a limit that is almost used up */
  near: string[];
  /** ids of active mandates that end before `endingBefore`, earliest first */
  ending: string[];
};

const overview = statement<MandateOverview>(
  "find_payer_mandate_overview",
  `WITH live AS MATERIALIZED (
     SELECT m.id, m.state, m.created_at, m.valid_until,
            m.state = 'active' AND (
              (m.used_amount + m.held_amount) * 100 >= m.max_total_amount * $4::int
              OR (m.used_count + m.held_count) * 100 >= m.max_payments * $4::int
              OR EXISTS (
                SELECT 1 FROM mandate_period p, jsonb_array_elements(m.periodic_limits) l
                 WHERE p.mandate_id = m.id AND p.starts_at <= $2::timestamptz AND p.ends_at > $2::timestamptz
                   AND p.limit_key = (l->>'period') || ':' || (l->>'alignment')
                   AND ((p.used_amount + p.held_amount) * 100 >= (l->>'max_amount')::bigint * $4::int
                        OR (p.used_count + p.held_count) * 100 >= (l->>'max_payments')::bigint * $4::int))
            ) AS is_near
       FROM mandate m WHERE m.payer_id = $1 AND ${isLive("$2")})
   SELECT count(*) FILTER (WHERE state = 'active')::int AS active, count(*) FILTER (WHERE state = 'suspended')::int AS suspended,
     ARRAY(SELECT id FROM live ORDER BY state, created_at DESC, id DESC LIMIT $5::int) AS newest,
     ARRAY(SELECT id FROM live WHERE is_near ORDER BY created_at DESC, id DESC LIMIT $5::int) AS near,
     ARRAY(SELECT id FROM live WHERE state = 'active' AND valid_until < $3::timestamptz ORDER BY valid_until, id LIMIT $5::int) AS ending
     FROM live`,
);

/**
 * The number of a payer's live mandates, and a few of each kind.
 * @param input.nearPercent percentage from which a limit counts as almost used up
 */
export const getPayerMandateOverview = async (
  sql: Sql,
  input: { payerId: string; at: Date; endingBefore: Date; nearPercent: number; limit: number },
): Promise<MandateOverview> => {
  const { payerId, at, endingBefore, nearPercent, limit } = input;
  const [row] = await sql.query(overview, [payerId, at, endingBefore, nearPercent, limit]);
  if (!row) throw new Error("a single-row statement returned no row");
  return row;
};

export type MandateName = { id: string; clientName: string; purpose: string };

const names = statement<MandateName>(
  "find_payer_mandate_names",
  `SELECT id, "clientName", purpose FROM (
     SELECT m.id, c.name AS "clientName", m.purpose, m.created_at FROM mandate m JOIN client c ON c.id = m.client_id
      WHERE m.id = $2 AND m.payer_id = $1 AND m.state <> 'rejected'
     UNION
     (SELECT m.id, c.name, m.purpose, m.created_at FROM mandate m JOIN client c ON c.id = m.client_id
      WHERE m.payer_id = $1 AND m.state <> 'rejected' ORDER BY m.created_at DESC, m.id DESC LIMIT $3::int)
   ) AS found ORDER BY created_at DESC, id DESC`,
);

/** The newest mandates for a selection list, including the selected one, newest first. */
export const findPayerMandateNames = (
  sql: Sql,
  input: { payerId: string; including: string | null; limit: number },
): Promise<MandateName[]> => sql.query(names, [input.payerId, input.including, input.limit]);

const others = statement<{ id: string }>(
  "find_other_live_mandates_of_client",
  `SELECT m.id FROM mandate one JOIN mandate m ON m.payer_id = one.payer_id AND m.client_id = one.client_id AND m.id <> one.id
    WHERE one.id = $2 AND one.payer_id = $1 AND ${isLive("$3")} ORDER BY m.created_at DESC, m.id DESC LIMIT $4::int`,
);

/** Ids of the payer's other live mandates with the same client, newest first. */
export const findOtherLiveMandatesOfClient = async (
  sql: Sql,
  { payerId, mandateId, at, limit }: { payerId: string; mandateId: string; at: Date; limit: number },
): Promise<string[]> => (await sql.query(others, [payerId, mandateId, at, limit])).map(({ id }) => id);

const byClient = statement<{ id: string; count: number }>(
  "count_live_mandates_by_client",
  `SELECT m.client_id AS id, count(*)::int AS count FROM mandate m
    WHERE m.payer_id = $1 AND m.client_id = ANY ($2::text[]) AND ${isLive("$3")} GROUP BY 1`,
);
const byMethod = statement<MethodUse & { id: string }>(
  "find_live_mandates_by_method",
  `SELECT m.payment_method_id AS id, count(*)::int AS count,
      (array_agg(concat_ws(': ', c.name, nullif(m.purpose, '')) ORDER BY m.created_at DESC, m.id DESC))[1:3] AS names
     FROM mandate m JOIN client c ON c.id = m.client_id
    WHERE m.payer_id = $1 AND m.payment_method_id = ANY ($2::text[]) AND ${isLive("$3")} GROUP BY 1`,
);

type CountInput = { payerId: string; ids: readonly string[]; at: Date };
/** The live mandates of a payment method. `names`: client and purpose of the newest three. */
export type MethodUse = { count: number; names: string[] };

/** @returns the number of the payer's live mandates by client; a client without any is left out. */
export const countLiveMandatesByClient = async (sql: Sql, { payerId, ids, at }: CountInput) =>
  new Map((await sql.query(byClient, [payerId, ids, at])).map(({ id, count }) => [id, count]));

/** @returns the live mandates by payment method; a method without any is left out. */
export const findLiveMandatesByMethod = async (
  sql: Sql,
  { payerId, ids, at }: CountInput,
): Promise<Map<string, MethodUse>> =>
  new Map((await sql.query(byMethod, [payerId, ids, at])).map(({ id, count, names }) => [id, { count, names }]));
