import { type Sql, type Statement, statement } from "../client.ts";
import { type AuditRow, auditRowColumns } from "./audit-chain.ts";

/** Position after the last entry of a page: entries are ordered by time, then by number. */
export type AuditCursor = { at: Date; seq: number };

export type AuditFilter = {
  from: Date;
  /** half-open */
  to: Date;
  actorId?: string | undefined;
  action?: string | undefined;
  subjectId?: string | undefined;
  requestId?: string | undefined;
  after?: AuditCursor | undefined;
};

/**
 * Ordinary requests write these actions. They are too frequent for the index on actions, which leaves them out
 * (migration `audit`).
 */
const frequentActions = ["token.issued", "authorization_request.pushed", "client.authentication_refused"];
const isRare = `e.action NOT IN (${frequentActions.map((action) => `'${action}'`).join(", ")})`;

const columns = {
  actorId: "e.actor_id",
  action: "e.action",
  subjectId: "e.subject_id",
  requestId: "e.request_id",
} as const;

/** One statement per kind of search, so that each has a suitable plan. */
const statements = new Map<string, Statement<AuditRow>>();

const statementFor = (fields: readonly (keyof typeof columns)[], isRareAction: boolean): Statement<AuditRow> => {
  const name = ["search_audit", ...fields, ...(isRareAction ? ["rare"] : [])].join("_");
  const known = statements.get(name);
  if (known) return known;
  const conditions = [
    "e.at >= $1::timestamptz AND e.at < $2::timestamptz",
    "(e.at, e.seq) < ($3::timestamptz, $4::bigint)",
    ...fields.map((field, index) => `${columns[field]} = $${index + 6}`),
    ...(isRareAction ? [isRare] : []),
  ];
  const prepared = statement<AuditRow>(
    name,
    `SELECT ${auditRowColumns} FROM audit_entry e WHERE ${conditions.join(" AND ")} ORDER BY e.at DESC, e.seq DESC LIMIT $5::int`,
  );
  statements.set(name, prepared);
  return prepared;
};

/** Newest first, at most `limit`. */
export const searchAuditEntries = (sql: Sql, filter: AuditFilter, limit: number): Promise<AuditRow[]> => {
  const given = (["actorId", "action", "subjectId", "requestId"] as const).filter(
    (field) => filter[field] !== undefined,
  );
  const isRareAction = filter.action !== undefined && !frequentActions.includes(filter.action);
  return sql.query(statementFor(given, isRareAction), [
    filter.from,
    filter.to,
    filter.after?.at ?? filter.to,
    filter.after?.seq ?? 0,
    limit,
    ...given.map((field) => filter[field] ?? ""),
  ]);
};
