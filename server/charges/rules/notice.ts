import { addSeconds } from "../../kernel/time/clock.ts";

/** The status of an announced charge. */
export const noticeStatuses = ["announced", "charged", "canceled", "past"] as const;
export type NoticeStatus = (typeof noticeStatuses)[number];

/** The minimum time between the notice of the exact amount and the charge (docs/spec/payments.md, Charge notices). */
export const noticeLeadSeconds = 24 * 3600;

/** Maximum number of a merchant's open notices under a mandate. Each sends one e-mail, and must not flood the payer. */
export const maxOpenNotices = 20;

/** If a charge is late by less than this time, it still counts as the announced charge. */
export const noticeGraceSeconds = 3 * 86_400;

export type NoticeDates = {
  chargeId: string | null;
  canceledAt: Date | null;
  dueAt: Date;
  /** when the mandate ended, or will end if nothing changes */
  mandateEndsAt: Date;
};

/** A notice is canceled if its mandate ends by the due time, because nothing can be charged afterwards. */
export const noticeStatus = ({ chargeId, canceledAt, dueAt, mandateEndsAt }: NoticeDates, now: Date): NoticeStatus => {
  if (chargeId !== null) return "charged";
  if (canceledAt !== null || (mandateEndsAt <= now && mandateEndsAt <= dueAt)) return "canceled";
  return addSeconds(dueAt, noticeGraceSeconds) <= now ? "past" : "announced";
};
