import type { DisputeStatus } from "../../charges/rules/dispute.ts";
import type { Place } from "../../kernel/pagination.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

/** A dispute in the operators' list. */
export type FoundDisputeRow = {
  id: string;
  chargeId: string;
  merchantId: string;
  merchantName: string;
  status: DisputeStatus;
  amount: bigint;
  currency: string;
  reason: string;
  disputeRef: string;
  createdAt: Date;
  evidenceDueAt: Date | null;
};

/** Which disputes to search. Kind `text`: those whose id at the processor is `text`, and those of `chargeIds`. */
export type DisputeSource =
  | { kind: "all" }
  | { kind: "dispute" | "charge" | "merchant"; id: string }
  | { kind: "text"; text: string; chargeIds: readonly string[] };

export type DisputeSearch = {
  source: DisputeSource;
  /** null: all */
  status: DisputeStatus | null;
  reason: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  after: Place | null;
  limit: number;
};

const columns = `d.id, d.charge_id AS "chargeId", d.merchant_id AS "merchantId", d.status, d.amount, d.currency, d.reason,
  d.dispute_ref AS "disputeRef", d.created_at AS "createdAt", d.evidence_due_at AS "evidenceDueAt"`;

type Bind = (value: SqlValue, type: string) => string;

/** Alternative conditions: a dispute must meet one of them. Each has an index. An empty list selects all disputes. */
const conditionsOf = (source: DisputeSource, bind: Bind): string[] => {
  switch (source.kind) {
    case "all":
      return [];
    case "dispute": {
      const [from, to] = spanOf(source.id).map((at) => bind(at, "timestamptz"));
      return [`d.id = ${bind(source.id, "text")} AND d.created_at BETWEEN ${from} AND ${to}`];
    }
    case "charge":
      return [`d.charge_id = ${bind(source.id, "text")}`];
    case "merchant":
      return [`d.merchant_id = ${bind(source.id, "text")}`];
    case "text":
      return [
        `d.dispute_ref = ${bind(source.text, "text")}`,
        `d.charge_id = ANY (${bind([...source.chargeIds], "text[]")})`,
      ];
  }
};

/**
 * The index starts with the status. A search without any filter but time therefore reads the newest disputes of each
 * status and merges them.
 */
const everyStatus = "unnest(ARRAY['open', 'won', 'lost']) AS s (status)";

/**
 * Newest first; `limit` + 1 rows if there are more. Each combination of filters has its own statement. It reads the rows
 * in the order of an index; only the few disputes of a charge or a text are sorted.
 */
export const searchDisputePage = (sql: Sql, search: DisputeSearch): Promise<FoundDisputeRow[]> => {
  const { source, status, reason, createdFrom, createdTo, after, limit } = search;
  const values: SqlValue[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const sources = conditionsOf(source, bind);
  const conditions: string[] = [];
  if (status !== null) conditions.push(`d.status = ${bind(status, "text")}`);
  if (reason !== null) conditions.push(`d.reason = ${bind(reason, "text")}`);
  const isMerged = source.kind === "all" && conditions.length === 0;
  if (isMerged) conditions.push("d.status = s.status");
  if (createdFrom) conditions.push(`d.created_at >= ${bind(createdFrom, "timestamptz")}`);
  if (createdTo) conditions.push(`d.created_at < ${bind(createdTo, "timestamptz")}`);
  if (after) {
    const at = bind(after.at, "timestamptz");
    conditions.push(`d.created_at <= ${at}`, `(d.created_at, d.id) < (${at}, ${bind(after.id, "text")})`);
  }
  const rowLimit = bind(limit + 1, "int");
  const pages = (sources.length > 0 ? sources : ["true"]).map((condition) => {
    const where = [condition, ...conditions].join(" AND ");
    return `(SELECT ${columns} FROM dispute d WHERE ${where} ORDER BY d.created_at DESC, d.id DESC LIMIT ${rowLimit})`;
  });
  const from = isMerged
    ? `(SELECT page.* FROM ${everyStatus} CROSS JOIN LATERAL ${pages.join(" UNION ")} page)`
    : `(${pages.join(" UNION ")})`;
  const keys = [source.kind, status && "status", reason !== null && "reason", createdFrom && "from", createdTo && "to"];
  const name = `search_disputes:${[...keys, after && "after"].filter(Boolean).join(",")}`;
  const text = `SELECT f.*, m.display_name AS "merchantName" FROM ${from} f JOIN merchant m ON m.id = f."merchantId"
    ORDER BY f."createdAt" DESC, f.id DESC LIMIT ${rowLimit}`;
  return sql.query(statement<FoundDisputeRow>(name, text), values);
};

const reasons = statement<{ reason: string }>(
  "find_dispute_reasons",
  `WITH RECURSIVE used AS (
     (SELECT reason FROM dispute ORDER BY reason LIMIT 1)
     UNION ALL
     SELECT (SELECT d.reason FROM dispute d WHERE d.reason > used.reason ORDER BY d.reason LIMIT 1)
       FROM used WHERE used.reason IS NOT NULL
   )
   SELECT reason FROM used WHERE reason IS NOT NULL LIMIT 50`,
);

/** At most 50 reasons that processors have given, for the page's filter. Reads one index row per reason. */
export const findDisputeReasons = async (sql: Sql): Promise<string[]> =>
  (await sql.query(reasons, [])).map(({ reason }) => reason);
