import { readAuditCursor, writeAuditCursor } from "../../audit/audit-cursor.ts";
import type { AuditRow } from "../../data/audit/audit-chain.ts";
import { type MerchantAuditFilter, searchMerchantAudit } from "../../data/audit/merchant-audit.ts";
import { listActorNames } from "../../data/merchants/actor-names.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type AuditTopic, auditActionsOf, visibleData } from "../rules/audit-actions.ts";

type Query = {
  merchantId: string;
  topic?: AuditTopic | undefined;
  /** the id of a member's account, or `operator` or `system` */
  actor?: string | undefined;
  /** the id of an object, a payment or a request */
  id?: string | undefined;
  from?: Date | undefined;
  /** exclusive */
  until?: Date | undefined;
  cursor?: string | undefined;
  limit: number;
};

export type MerchantAuditEntry = Pick<AuditRow, "seq" | "at" | "action" | "subjectId" | "requestId"> & {
  actor: {
    kind: string;
    /** null for an operator */
    id: string | null;
    /** null: an operator, unknown, or left the team */
    name: string | null;
  };
  data: Record<string, unknown>;
};

/**
 * The merchant's audit log, newest first. It contains actions of its members, of operators and of the service, and
 * changes that its clients made to their own registrations.
 */
export const searchOwnAudit = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  { merchantId, topic, actor, id, from, until, cursor, limit }: Query,
): Promise<{ entries: MerchantAuditEntry[]; nextCursor: string | null }> => {
  const { entries, next } = await searchMerchantAudit(deps.db.sql, {
    merchantId,
    from: from ?? new Date(0),
    // The later of both times: entries about charges have business time, which may be ahead of real time.
    to: until ?? addSeconds(new Date(Math.max(Number(await deps.businessClock.now()), Number(deps.clock.now()))), 1),
    actions: auditActionsOf(topic ?? null),
    actor: toActor(actor),
    id: id ?? null,
    after: cursor === undefined ? null : readAuditCursor(cursor),
    limit,
  });
  const names = await listActorNames(deps.db.sql, merchantId, [...new Set(entries.map(({ actorId }) => actorId))]);
  return {
    entries: entries.map((entry) => toEntry(entry, names)),
    nextCursor: next && writeAuditCursor(next),
  };
};

const toActor = (actor: string | undefined): MerchantAuditFilter["actor"] => {
  if (actor === undefined) return null;
  return actor === "operator" || actor === "system" ? { kind: actor } : { kind: "member", accountId: actor };
};

const toEntry = (entry: AuditRow, names: ReadonlyMap<string, string>): MerchantAuditEntry => {
  const { seq, at, action, subjectId, requestId, actorKind: kind, actorId } = entry;
  const isOperator = kind === "operator";
  const { from, to } = entry.data as { from?: unknown; to?: unknown };
  const isOther = action.startsWith("participant.transfer") && (actorId === from || actorId === to);
  const name = isOther ? "The other merchant" : (names.get(actorId) ?? null);
  const actor = { kind, id: isOperator ? null : actorId, name: isOperator ? null : name };
  return { seq, at, action, subjectId, requestId, actor, data: visibleData(entry) };
};
