import type { ChargeState } from "../../charges/rules/charge-states.ts";
import type { Place } from "../../kernel/pagination.ts";
import { chargesWithPrefix } from "../charges/reference-prefix.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

/** A charge in the operators' list. */
export type FoundCharge = {
  id: string;
  state: ChargeState;
  amount: bigint;
  currency: string;
  amountRefunded: bigint;
  reference: string | null;
  createdAt: Date;
  merchantId: string;
  merchantName: string;
  payerId: string;
  isUnderReview: boolean;
};

/**
 * The charges to search. `text`: charges whose reference starts with the text, charges whose id at the processor is the
 * text, and charges of these merchants.
 */
export type ChargeSource =
  | { kind: "all" }
  | { kind: "charge" | "mandate" | "merchant" | "payer"; id: string }
  | { kind: "text"; text: string; merchantIds: readonly string[] };

export type ChargeSearch = {
  source: ChargeSource;
  /** null: all */
  states: readonly ChargeState[] | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  after: Place | null;
  limit: number;
};

const columns = `c.id, c.state::text AS state, c.amount, c.currency, c.amount_refunded AS "amountRefunded", c.reference,
  c.created_at AS "createdAt", c.merchant_id AS "merchantId", c.payer_id AS "payerId",
  c.state = 'unknown' AND c.next_lookup_at IS NULL AS "isUnderReview"`;

type Bind = (value: SqlValue, type: string) => string;

/**
 * Rows that one index returns in the list's order. `each`: a FROM clause with one row per range of the index. `rows`: a
 * subquery with a limited number of rows in another order.
 */
type Range = { key: string; each?: string; rows?: string; condition: string };

/**
 * Newest first; `limit` + 1 rows if there are more. Each combination of filters has its own statement, which reads at
 * most one page of each range of an index. Therefore, a search for a rare state or for a merchant with few charges
 * doesn't read the charges of others.
 */
export const searchChargePage = (sql: Sql, search: ChargeSearch): Promise<FoundCharge[]> => {
  const { source, states, createdFrom, createdTo, after, limit } = search;
  const values: SqlValue[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const ranges = rangesOf(source, states, bind);
  const shared: string[] = [];
  if (createdFrom) shared.push(`c.created_at >= ${bind(createdFrom, "timestamptz")}`);
  if (createdTo) shared.push(`c.created_at < ${bind(createdTo, "timestamptz")}`);
  if (after) {
    const at = bind(after.at, "timestamptz");
    // The second condition implies the first. PostgreSQL needs the first to skip the partitions of later months.
    shared.push(`c.created_at <= ${at}`, `(c.created_at, c.id) < (${at}, ${bind(after.id, "text")})`);
  }
  const rowLimit = bind(limit + 1, "int");
  const pages = ranges.map(({ each, rows = "charge", condition }) => {
    const page = `SELECT ${columns} FROM ${rows} c WHERE ${[condition, ...shared].join(" AND ")}
      ORDER BY c.created_at DESC, c.id DESC LIMIT ${rowLimit}`;
    return each ? `(SELECT page.* FROM ${each} CROSS JOIN LATERAL (${page}) page)` : `(${page})`;
  });
  const keys = [...ranges.map(({ key }) => key), createdFrom && "from", createdTo && "to", after && "after"];
  const text = `SELECT f.*, m.display_name AS "merchantName" FROM (${pages.join(" UNION ")}) f
    JOIN merchant m ON m.id = f."merchantId" ORDER BY f."createdAt" DESC, f.id DESC LIMIT ${rowLimit}`;
  return sql.query(statement<FoundCharge>(`search_charges:${keys.filter(Boolean).join(",")}`, text), values);
};

const everyState = "unnest(enum_range(NULL::charge_state)) AS s (state)";

const rangesOf = (source: ChargeSource, states: readonly ChargeState[] | null, bind: Bind): Range[] => {
  const list = states && `${bind([...states], "text[]")}::charge_state[]`;
  const eachState = list ? `unnest(${list}) AS s (state)` : everyState;
  /** One index has an owner's rows of one state in order. Another index has the owner's rows of all states. */
  const ofOwner = (key: string, owner: string): Range =>
    list ? { key: `${key}s`, each: eachState, condition: `${owner} AND c.state = s.state` } : { key, condition: owner };
  /** Used for conditions that match few rows, so that no index by state is needed. */
  const few = (key: string, condition: string): Range =>
    list ? { key: `${key}s`, condition: `${condition} AND c.state = ANY (${list})` } : { key, condition };
  switch (source.kind) {
    case "all":
      return [{ key: list ? "states" : "all", each: eachState, condition: "c.state = s.state" }];
    case "merchant":
      return [ofOwner("mch", `c.merchant_id = ${bind(source.id, "text")}`)];
    case "payer":
      return [ofOwner("acc", `c.payer_id = ${bind(source.id, "text")}`)];
    case "mandate":
      return [few("mdt", `c.mandate_id = ${bind(source.id, "text")}`)];
    case "charge": {
      const [from, to] = spanOf(source.id).map((at) => bind(at, "timestamptz"));
      return [few("chg", `c.id = ${bind(source.id, "text")} AND c.created_at BETWEEN ${from} AND ${to}`)];
    }
    case "text": {
      const text = bind(source.text, "text");
      const byText = [
        few("ref", `c.reference = ${text}`),
        { ...few("pre", "true"), rows: chargesWithPrefix({ text }) },
        few("prc", `c.processor_ref = ${text}`),
      ];
      if (source.merchantIds.length === 0) return byText;
      const each = `unnest(${bind([...source.merchantIds], "text[]")}) AS o (id)`;
      const condition = "c.merchant_id = o.id";
      return [
        ...byText,
        list
          ? { key: "names", each: `${each} CROSS JOIN ${eachState}`, condition: `${condition} AND c.state = s.state` }
          : { key: "name", each, condition },
      ];
    }
  }
};

const byName = statement<{ id: string }>(
  "find_merchant_ids_by_name",
  `SELECT m.id FROM merchant m WHERE NOT m.is_probe AND strpos(lower(m.display_name), lower($1)) > 0
    ORDER BY m.display_name, m.id LIMIT $2::int`,
);

/** Merchants with this text in their name. */
export const findMerchantIdsByName = async (sql: Sql, text: string, limit: number): Promise<string[]> =>
  (await sql.query(byName, [text, limit])).map(({ id }) => id);
