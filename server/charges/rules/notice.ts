import { addSeconds } from "../../kernel/time/clock.ts";

/** What became of an announced charge. */
export const noticeStatuses = ["announced", "charged", "canceled", "past"] as const;
export type NoticeStatus = (typeof noticeStatuses)[number];

/** The payer learns the exact amount at least this long before (docs/spec/payments.md, Charge notices). */
export const noticeLeadSeconds = 24 * 3600;

/** Each announces one e-mail, so that a merchant can't flood a payer. */
export const mostAnnounced = 20;

/** A charge may be late by this much and is still the announced one for the payer. */
export const noticeGraceSeconds = 3 * 86_400;

export type NoticeDates = {
  chargeId: string | null;
  canceledAt: Date | null;
  dueAt: Date;
  /** when the mandate ended, or will end if nothing changes */
  mandateEndsAt: Date;
};

/** A notice ends with its mandate: nothing can be charged then. */
export const noticeStatus = ({ chargeId, canceledAt, dueAt, mandateEndsAt }: NoticeDates, now: Date): NoticeStatus => {
  if (chargeId !== null) return "charged";
  if (canceledAt !== null || (mandateEndsAt <= now && mandateEndsAt <= dueAt)) return "canceled";
  return addSeconds(dueAt, noticeGraceSeconds) <= now ? "past" : "announced";
};
