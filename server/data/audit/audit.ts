import type { JsonObject } from "../../kernel/text/json.ts";
import { type Db, type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";

type ActorKind = "payer" | "client" | "merchant" | "operator" | "system" | "anonymous";
export type Actor = { kind: ActorKind; id: string };

export type AuditEntry = {
  at: Date;
  actor: Actor;
  /** `noun.verb`, for example `mandate.revoked`, `token.issued`, `token.refused` */
  action: string;
  /** id of the object; `-` if there is none */
  subjectId: string;
  requestId: string;
  /** never secrets, never personal data beyond ids */
  data?: JsonObject;
};

/** The sequence assigns the entry's number. */
const columns = {
  at: "timestamptz",
  actor_kind: "text",
  actor_id: "text",
  action: "text",
  subject_id: "text",
  request_id: "text",
  data: "jsonb",
} as const;

/**
 * The columns of entries, in the order of `auditValues`. They are for statements that insert entries together with the
 * change that the entries record.
 */
export const auditColumns = (prefix: string): string =>
  Object.keys(columns)
    .map((name) => prefix + name)
    .join(", ");

/** @param first number of the first parameter. @returns `$6::timestamptz[], …`. */
export const auditTypes = (first: number): string =>
  Object.values(columns)
    .map((type, index) => `$${first + index}::${type}[]`)
    .join(", ");

/** One array per column. */
export const auditValues = (entries: readonly AuditEntry[]): string[][] => [
  entries.map(({ at }) => at.toISOString()),
  entries.map(({ actor }) => actor.kind),
  entries.map(({ actor }) => actor.id),
  entries.map(({ action }) => action),
  entries.map(({ subjectId }) => subjectId),
  entries.map(({ requestId }) => requestId),
  entries.map(({ data }) => JSON.stringify(data ?? {})),
];

const insertAuditEntries = statement<never>(
  "insert_audit_entries",
  `INSERT INTO audit_entry (${auditColumns("")}) SELECT * FROM unnest(${auditTypes(1)})`,
);

const writeEntries = async (sql: Sql, entries: readonly AuditEntry[]): Promise<void> => {
  await sql.query(insertAuditEntries, auditValues(entries));
};

/** Appends one entry in the caller's transaction, together with the change that it records. */
export const appendAudit = (sql: Sql, entry: AuditEntry): Promise<void> => writeEntries(sql, [entry]);

const writeTogether = coalesceByPool(async (sql: Sql, entries: readonly AuditEntry[]) => {
  await writeEntries(sql, entries);
  return entries.map(() => true as const);
});

/**
 * Appends one entry for an action that changes no row (a token issued to a client, a refusal). Concurrent calls share a
 * statement. Returns when the entry is durable.
 */
export const appendAuditAlone = async ({ sql }: Pick<Db, "sql">, entry: AuditEntry): Promise<void> => {
  await writeTogether(sql, entry);
};
