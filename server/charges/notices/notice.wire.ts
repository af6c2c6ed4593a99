import { z } from "zod";
import type { ChargeNoticeRow } from "../../data/notices/charge-notices.ts";
import { isPlain } from "../../kernel/text/text.ts";
import { amountSchema, currencySchema } from "../charge/charge.wire.ts";
import { noticeStatus, noticeStatuses } from "../rules/notice.ts";

export const noticeRequestSchema = z.strictObject({
  mandate_id: z.string().min(1).max(64),
  amount: amountSchema.describe("The exact amount of the charge"),
  currency: currencySchema,
  due_at: z.iso
    .datetime({ offset: true, error: "must be an RFC 3339 date and time" })
    .describe("When the charge will be made, at least 24 hours from now"),
  reference: z
    .string()
    .min(1)
    .max(200)
    .refine(isPlain, "must be plain text without control or direction characters")
    .optional()
    .describe("The reference that the charge will have. The payer sees it"),
});

export type NoticeRequest = z.infer<typeof noticeRequestSchema>;

export const noticeSchema = z.object({
  id: z.string(),
  status: z
    .enum(noticeStatuses)
    .describe(
      "charged: a charge with this amount and reference was made; canceled: by the merchant or by the mandate's end",
    ),
  mandate_id: z.string(),
  merchant_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  reference: z.string().nullable(),
  due_at: z.string(),
  created_at: z.string(),
  charge_id: z.string().nullable().describe("The charge that completed the notice"),
});

export const noticeListSchema = z.object({ data: z.array(noticeSchema), has_more: z.boolean() });

export type NoticeObject = z.infer<typeof noticeSchema>;

export const toNoticeObject = (notice: ChargeNoticeRow, now: Date): NoticeObject => ({
  id: notice.id,
  status: noticeStatus(notice, now),
  mandate_id: notice.mandateId,
  merchant_id: notice.merchantId,
  amount: Number(notice.amount),
  currency: notice.currency,
  reference: notice.reference,
  due_at: notice.dueAt.toISOString(),
  created_at: notice.createdAt.toISOString(),
  charge_id: notice.chargeId,
});

/** The first answer: a repeated request gets the same bytes, even after the notice has changed. */
export const toAnnouncedObject = (notice: ChargeNoticeRow): NoticeObject =>
  toNoticeObject({ ...notice, chargeId: null, canceledAt: null, mandateEndsAt: notice.dueAt }, notice.createdAt);
