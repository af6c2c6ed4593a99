import { z } from "zod";
import type { ChargeRow } from "../../data/charges/charges.ts";
import type { DisputeRow } from "../../data/charges/disputes.ts";
import type { RefundRow } from "../../data/charges/refunds.ts";
import { currencyProblem, isCurrency, maxAmountMinor } from "../../kernel/money/money.ts";
import { isPlain } from "../../kernel/text/text.ts";
import { simulations } from "../../processors/simulator/server/behaviour.ts";
import type { Decline, NextAction } from "../rules/charge-states.ts";
import { disputeStatuses } from "../rules/dispute.ts";
import { refundReasons, refundStatuses } from "../rules/refund.ts";

const bounds = `must be an integer from 1 to ${maxAmountMinor}`;
export const amountSchema = z.int(bounds).min(1, bounds).max(Number(maxAmountMinor), bounds);
export const currencySchema = z.string().refine(isCurrency, currencyProblem);
const payerPresence = z.enum(["in_session", "off_session"]);

/**
 * What permits the use of a mandate: exactly one of `mandate_id`, `presentation` and `mandate_token`
 * (docs/spec/payments.md, Who may use a mandate).
 */
const credentialFields = {
  mandate_id: z.string().min(1).max(64).optional(),
  presentation: z.string().min(1).max(32_768).optional(),
  mandate_token: z.string().min(1).max(8_192).optional(),
  mandate_token_proof: z.string().min(1).max(8_192).optional(),
};

export type Credentials = {
  mandate_id?: string | undefined;
  presentation?: string | undefined;
  mandate_token?: string | undefined;
  mandate_token_proof?: string | undefined;
};

const exactlyOne = (body: Credentials): boolean =>
  [body.mandate_id, body.presentation, body.mandate_token].filter((value) => value !== undefined).length === 1;
const exactlyOneMessage = {
  path: ["mandate_id"],
  error: "send exactly one of mandate_id, presentation and mandate_token",
};

const proofHasToken = (body: Credentials): boolean =>
  body.mandate_token_proof === undefined || body.mandate_token !== undefined;
const proofHasTokenMessage = { path: ["mandate_token_proof"], error: "is only allowed with mandate_token" };

/** zod silently drops a member named `__proto__` from a record. */
const holdsNoProto = (value: unknown): boolean =>
  typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__");

/** Length in code points. */
const isShort = (text: string): boolean => text.length <= 500 || [...text].length <= 500;
const tooLong = "must have at most 500 characters";

const metadata = z
  .unknown()
  .refine(holdsNoProto, "must not have a member named __proto__")
  .pipe(
    z
      .record(z.string().min(1).refine(isShort, tooLong), z.string().refine(isShort, tooLong))
      .refine((members) => Object.keys(members).length <= 20, "must have at most 20 strings"),
  )
  .meta({
    type: "object",
    additionalProperties: { type: "string", maxLength: 500 },
    maxProperties: 20,
    description: `At most 20 strings of your own. In the sandbox, \`simulate\` selects what the simulated processor does: ${simulations.map((value) => `\`${value}\``).join(", ")}`,
  });

/** The schema sets no defaults, so that the idempotency key's hash covers exactly the request as sent. */
export const chargeRequestSchema = z
  .strictObject({
    ...credentialFields,
    amount: amountSchema,
    currency: currencySchema,
    capture_method: z.enum(["automatic", "manual"]).optional(),
    // Payers and merchants read the reference next to the amount.
    reference: z
      .string()
      .min(1)
      .max(200)
      .refine(isPlain, "must be plain text without control or direction characters")
      .optional(),
    payer_presence: payerPresence,
    transaction_id: z.string().min(1).max(200).optional(),
    metadata: metadata.optional(),
  })
  .refine(exactlyOne, exactlyOneMessage)
  .refine(proofHasToken, proofHasTokenMessage);

export type ChargeRequest = z.infer<typeof chargeRequestSchema>;

export const verifyRequestSchema = z
  .strictObject({
    ...credentialFields,
    amount: amountSchema,
    currency: currencySchema,
    payer_presence: payerPresence,
    nonce: z.string().min(1).max(200).optional(),
    transaction_id: z.string().min(1).max(200).optional(),
  })
  .refine(exactlyOne, exactlyOneMessage)
  .refine(proofHasToken, proofHasTokenMessage);

export type VerifyRequest = z.infer<typeof verifyRequestSchema>;

export const chargeSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  amount_captured: z.number(),
  amount_refunded: z.number(),
  mandate_id: z.string(),
  merchant_id: z.string(),
  reference: z.string().nullable(),
  payer_presence: z.string(),
  capture_method: z.string(),
  metadata: z.record(z.string(), z.string()),
  created_at: z.string(),
  next_action: z.object({ type: z.string(), url: z.string(), expires_at: z.string() }).optional(),
  decline: z
    .object({ code: z.string(), decline_code: z.string(), retryable: z.boolean(), advice: z.string() })
    .optional(),
});

export const chargeListSchema = z.object({ data: z.array(chargeSchema), has_more: z.boolean() });

/** Without an amount: the whole authorized amount. */
export const captureRequestSchema = z.strictObject({ amount: amountSchema.optional() });

/** Always the whole amount. */
export const voidRequestSchema = z.strictObject({});

const refundReason = z.enum(refundReasons, { error: `must be one of ${refundReasons.join(", ")}` });

/** Without an amount: the rest of the captured amount. */
export const refundRequestSchema = z.strictObject({
  amount: amountSchema.optional(),
  reason: refundReason
    .optional()
    .describe("Why the money is returned. Explain `other` in metadata. Stripe receives only the first three values"),
  metadata: metadata.optional(),
});

export type RefundRequest = z.infer<typeof refundRequestSchema>;

export const refundSchema = z.object({
  id: z.string(),
  charge_id: z.string(),
  amount: z.number(),
  status: z.enum(refundStatuses),
  reason: refundReason
    .nullable()
    .describe("Null if no reason was given, for example for a refund made at the processor"),
  metadata: z.record(z.string(), z.string()),
  created_at: z.string(),
});

export const refundListSchema = z.object({ data: z.array(refundSchema), has_more: z.boolean() });

export const disputeSchema = z.object({
  id: z.string(),
  charge_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  reason: z.string().describe("The processor's reason, for example fraudulent"),
  status: z.enum(disputeStatuses).describe("won: the merchant keeps the money; lost: the money went back to the payer"),
  created_at: z.string(),
  closed_at: z.string().optional().describe("Present after the dispute is won or lost"),
});

export const disputeListSchema = z.object({ data: z.array(disputeSchema), has_more: z.boolean() });

/** An object as its schema describes it. Optional members are left out, never undefined. */
type Sent<Schema extends z.ZodType> = {
  [Name in keyof z.infer<Schema>]: Exclude<z.infer<Schema>[Name], undefined>;
};

export type ChargeObject = Sent<typeof chargeSchema>;
export type RefundObject = Sent<typeof refundSchema>;
export type DisputeObject = Sent<typeof disputeSchema>;

/** The refund as merchants and events show it. */
export const toRefundObject = (refund: RefundRow): RefundObject => ({
  id: refund.id,
  charge_id: refund.chargeId,
  amount: Number(refund.amount),
  status: refund.status,
  reason: refund.reason,
  metadata: byName(refund.metadata),
  created_at: refund.createdAt.toISOString(),
});

/** The dispute as merchants and events show it. */
export const toDisputeObject = (dispute: DisputeRow): DisputeObject => ({
  id: dispute.id,
  charge_id: dispute.chargeId,
  amount: Number(dispute.amount),
  currency: dispute.currency,
  reason: dispute.reason,
  status: dispute.status,
  created_at: dispute.createdAt.toISOString(),
  ...(dispute.closedAt ? { closed_at: dispute.closedAt.toISOString() } : {}),
});

// A repeated request gets the same response, byte for byte. PostgreSQL's `jsonb` doesn't keep the order of members, so
// these functions put the members in a fixed order.

export const toDeclineObject = ({ code, decline_code, retryable, advice }: Decline) => ({
  code,
  decline_code,
  retryable,
  advice,
});
const toNextAction = ({ type, url, expires_at }: NextAction) => ({ type, url, expires_at });
const byName = <Value>(members: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).toSorted(([left], [right]) => (left < right ? -1 : 1)));

/** The charge as merchants, agents and events show it. */
export const toChargeObject = (charge: ChargeRow): ChargeObject => ({
  id: charge.id,
  status: charge.state,
  amount: Number(charge.amount),
  currency: charge.currency,
  amount_captured: Number(charge.amountCaptured),
  amount_refunded: Number(charge.amountRefunded),
  mandate_id: charge.mandateId,
  merchant_id: charge.merchantId,
  reference: charge.reference,
  payer_presence: charge.payerPresence,
  capture_method: charge.captureMethod,
  metadata: byName(charge.metadata),
  created_at: charge.createdAt.toISOString(),
  ...(charge.state === "requires_action" && charge.nextAction ? { next_action: toNextAction(charge.nextAction) } : {}),
  ...(charge.decline ? { decline: toDeclineObject(charge.decline) } : {}),
});
