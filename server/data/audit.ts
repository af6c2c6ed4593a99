import { randomUUID } from "node:crypto";
import type { JsonObject } from "../kernel/json.ts";
import { type Sql, statement } from "./client.ts";

export type ActorKind = "payer" | "client" | "merchant" | "operator" | "system" | "anonymous";
export type Actor = { kind: ActorKind; id: string };

export type AuditEntry = {
  at: Date;
  actor: Actor;
  /** `noun.verb`, for example `mandate.revoked`, `token.issued`, `token.refused` */
  action: string;
  /** id of what it was done to; `-` where there is none */
  subjectId: string;
  requestId: string;
  /** never secrets, never personal data beyond ids */
  data?: JsonObject;
};

const insertAuditEntry = statement<never>(
  "insert_audit_entry",
  `INSERT INTO audit_entry (id, at, actor_kind, actor_id, action, subject_id, request_id, data)
   VALUES ($1::uuid, $2::timestamptz, $3, $4, $5, $6, $7, $8::jsonb)`,
);

/** Appends one entry, in the caller's transaction where `sql` belongs to one. */
export const appendAudit = async (sql: Sql, entry: AuditEntry): Promise<void> => {
  await sql.query(insertAuditEntry, [
    randomUUID(),
    entry.at,
    entry.actor.kind,
    entry.actor.id,
    entry.action,
    entry.subjectId,
    entry.requestId,
    JSON.stringify(entry.data ?? {}),
  ]);
};
