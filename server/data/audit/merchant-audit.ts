import { type Sql, statement } from "../client.ts";
import { type AuditRow, auditRowColumns } from "./audit-chain.ts";
import type { AuditCursor } from "./audit-search.ts";

export type MerchantAuditFilter = {
  merchantId: string;
  from: Date;
  /** exclusive */
  to: Date;
  actions: readonly string[];
  /** null: everyone */
  actor: { kind: "operator" | "system" } | { kind: "member"; accountId: string } | null;
  /** the id of an object, a charge or a request; null: all */
  id: string | null;
  after: AuditCursor | null;
  limit: number;
};

/** A search reads at most this many of the merchant's entries. The next page continues after them. */
const scanned = 2_000;

const range = `e.at >= $2::timestamptz AND e.at < $3::timestamptz AND (e.at, e.seq) < ($4::timestamptz, $5::bigint)
     AND e.action = ANY ($6::text[])`;
const newest = (condition: string) =>
  `(SELECT ${auditRowColumns} FROM audit_entry e WHERE ${condition} AND ${range}
     ORDER BY e.at DESC, e.seq DESC LIMIT ${scanned})`;

// One part per index: an entry names its merchant as `subject_id`, or in its data as `merchant_id` or `owner_id`
// (migrations `merchant_audit`).
const search = statement<Partial<AuditRow> & { scans: number; edgeAt: Date | null; edgeSeq: number | null }>(
  "search_merchant_audit",
  `WITH scan AS (
     SELECT * FROM (
       ${newest("e.subject_id = $1 AND e.action LIKE 'merchant.%'")}
       UNION ALL ${newest("e.data ->> 'merchant_id' = $1 AND e.data ? 'merchant_id' AND e.action <> 'charge.refused' AND e.subject_id <> $1")}
       UNION ALL ${newest("e.data ->> 'owner_id' = $1 AND e.data ? 'owner_id' AND NOT e.data ? 'merchant_id' AND e.subject_id <> $1")}
     ) every ORDER BY at DESC, seq DESC LIMIT ${scanned}
   ), found AS (
     SELECT * FROM scan
      WHERE ($7::text IS NULL OR "actorKind" = $7) AND ($8::text IS NULL OR "actorId" = $8)
        AND ($9::text IS NULL OR "subjectId" = $9 OR "requestId" = $9 OR data ->> 'charge_id' = $9)
      ORDER BY at DESC, seq DESC LIMIT $10::int
   ), edge AS (SELECT at, seq FROM scan ORDER BY at, seq LIMIT 1)
   SELECT (SELECT count(*) FROM scan)::int AS scans, (SELECT at FROM edge) AS "edgeAt", (SELECT seq FROM edge) AS "edgeSeq", f.*
     FROM (SELECT 1) one LEFT JOIN found f ON true ORDER BY f.at DESC, f.seq DESC`,
);

export type MerchantAuditPage = {
  /** newest first, at most `limit` */
  entries: AuditRow[];
  /** null: there are no older entries */
  next: AuditCursor | null;
};

export const searchMerchantAudit = async (sql: Sql, filter: MerchantAuditFilter): Promise<MerchantAuditPage> => {
  const { merchantId, from, to, after, actions, actor, id, limit } = filter;
  const isMember = actor?.kind === "member";
  const place = [after?.at ?? to, after?.seq ?? 0];
  const who = [isMember ? "merchant" : (actor?.kind ?? null), isMember ? actor.accountId : null];
  const rows = await sql.query(search, [merchantId, from, to, ...place, actions, ...who, id, limit + 1]);
  const found = rows.flatMap((row) => (typeof row.seq === "number" ? [toEntry(row as AuditRow)] : []));
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  if (last && found.length > limit) return { entries, next: { at: last.at, seq: last.seq } };
  const [first] = rows;
  const isCut = first?.scans === scanned && first.edgeAt !== null && first.edgeSeq !== null;
  return { entries, next: isCut ? { at: first.edgeAt as Date, seq: first.edgeSeq as number } : null };
};

const toEntry = ({ seq, at, actorKind, actorId, action, subjectId, requestId, data }: AuditRow): AuditRow => ({
  seq,
  at,
  actorKind,
  actorId,
  action,
  subjectId,
  requestId,
  data,
});
