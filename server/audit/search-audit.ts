import { searchAuditEntries } from "../data/audit/audit-search.ts";
import type { Deps } from "../deps/deps.ts";
import { fieldRefusal } from "../kernel/errors.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { readAuditCursor, writeAuditCursor } from "./audit-cursor.ts";
import type { ChainedEntry } from "./rules/chain.ts";

export type AuditQuery = {
  /** default: one day before `to` if `to` is given, otherwise one day before the current real time */
  from?: Date | undefined;
  /** exclusive; default: one second after the current business time */
  to?: Date | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  subjectId?: string | undefined;
  requestId?: string | undefined;
  /** `nextCursor` of the previous page */
  cursor?: string | undefined;
  limit?: number | undefined;
};

export type AuditPage = { entries: ChainedEntry[]; nextCursor: string | null };

const day = 24 * 3600;
const defaultLimit = 50;
export const maxAuditPage = 500;

/**
 * Searches the log in a period, by default one day; newest first. An actor, a subject or a rare action is found by an
 * index, so the period may have any length. A request id alone has no index.
 * @throws DomainError invalid, naming the field.
 */
export const searchAudit = async (
  { db, clock, businessClock }: Pick<Deps, "db" | "clock" | "businessClock">,
  query: AuditQuery,
): Promise<AuditPage> => {
  const { cursor, limit = defaultLimit, ...filter } = query;
  const to = query.to ?? addSeconds(await businessClock.now(), 1);
  const from = query.from ?? addSeconds(query.to ?? clock.now(), -day);
  if (query.to && from >= to) throw fieldRefusal("#from", "must be earlier than `to`");
  if (!(limit >= 1 && limit <= maxAuditPage)) throw fieldRefusal("#limit", `must be from 1 to ${maxAuditPage}`);
  const after = cursor === undefined ? undefined : readAuditCursor(cursor);
  const entries = await searchAuditEntries(db.sql, { ...filter, from, to, after }, limit + 1);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return { entries: page, nextCursor: last && entries.length > limit ? writeAuditCursor(last) : null };
};
