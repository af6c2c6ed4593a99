import {
  findChargeNotice,
  findPastNotices,
  findPayerNotice,
  findUpcomingNotices,
  type PayerNoticeRow,
} from "../../data/notices/charge-notices.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type NoticeStatus, noticeGraceSeconds, noticeStatus } from "../rules/notice.ts";
import { noticeNotFound } from "./list-notices.ts";

/** An announced charge, with the names that the payer knows. */
export type PayerNotice = Pick<
  PayerNoticeRow,
  "id" | "amount" | "currency" | "reference" | "dueAt" | "createdAt" | "chargeId"
> & {
  status: NoticeStatus;
  merchant: { id: string; name: string };
  client: { name: string };
  mandate: { id: string; purpose: string; isLive: boolean; isPausedByPayer: boolean };
};

type ReadDeps = Pick<Deps, "db" | "businessClock">;

export type NoticeShow = "upcoming" | "past";

/** Finds the payer of a notice, for authorization; null if there is no such notice. */
export const findNoticePayer = async (deps: Pick<Deps, "db">, input: { noticeId: string }): Promise<string | null> =>
  (await findChargeNotice(deps.db.sql, input.noticeId))?.payerId ?? null;

/** Upcoming charges with the earliest first, or past ones with the latest first. */
export const listPayerNotices = async (
  { db, businessClock }: ReadDeps,
  input: {
    payerId: string;
    show: NoticeShow;
    search?: string | undefined;
    startingAfter?: string | undefined;
    limit: number;
  },
): Promise<{ notices: PayerNotice[]; hasMore: boolean }> => {
  const { payerId, show, search = null, startingAfter, limit } = input;
  const at = await businessClock.now();
  const cursor = startingAfter === undefined ? null : await findPayerNotice(db.sql, { id: startingAfter, payerId });
  if (startingAfter !== undefined && cursor === null) return { notices: [], hasMore: false };
  const rows = await (show === "upcoming" ? findUpcomingNotices : findPastNotices)(db.sql, {
    payerId,
    at,
    dueAfter: addSeconds(at, -noticeGraceSeconds),
    after: cursor && { at: cursor.dueAt, id: cursor.id },
    search,
    limit,
  });
  return { notices: rows.slice(0, limit).map((row) => toPayerNotice(row, at)), hasMore: rows.length > limit };
};

/** @throws DomainError not_found, also for another payer's notice. */
export const getPayerNotice = async (
  { db, businessClock }: ReadDeps,
  { payerId, noticeId }: { payerId: string; noticeId: string },
): Promise<PayerNotice> => {
  const row = await findPayerNotice(db.sql, { id: noticeId, payerId });
  if (!row) throw noticeNotFound();
  return toPayerNotice(row, await businessClock.now());
};

const toPayerNotice = (row: PayerNoticeRow, now: Date): PayerNotice => ({
  id: row.id,
  status: noticeStatus(row, now),
  amount: row.amount,
  currency: row.currency,
  reference: row.reference,
  dueAt: row.dueAt,
  createdAt: row.createdAt,
  chargeId: row.chargeId,
  merchant: { id: row.merchantId, name: row.merchantName },
  client: { name: row.clientName },
  mandate: {
    id: row.mandateId,
    purpose: row.purpose,
    isLive: (row.mandateState === "active" || row.mandateState === "suspended") && row.mandateEndsAt > now,
    isPausedByPayer: row.isPausedByPayer,
  },
});
