import { z } from "zod";
import type { MandateView } from "../../../mandates/find-mandates.ts";
import { refundReasons, refundStatuses } from "../../rules/refund.ts";
import type { PayerChargeDetail } from "../get-payer-charge.ts";

const party = z.object({ id: z.string(), name: z.string() });
const payer = z.object({ name: z.string(), email: z.string() });

export const chargeReceiptSchema = z.object({
  type: z.literal("charge_receipt"),
  environment: z.enum(["production", "sandbox"]),
  as_of: z.string().describe("Time of the last change of the charge, its refunds or its disputes"),
  payer,
  merchant: party,
  agent: party,
  mandate: z.object({ id: z.string(), purpose: z.string() }),
  charge: z.object({
    id: z.string(),
    status: z.string(),
    amount: z.number(),
    currency: z.string(),
    amount_captured: z.number(),
    amount_refunded: z.number(),
    reference: z.string().nullable(),
    payer_presence: z.string(),
    payment_method: z.string().nullable(),
    created_at: z.string(),
    approved_at: z.string().nullable(),
  }),
  refunds: z.array(
    z.object({
      id: z.string(),
      amount: z.number(),
      status: z.enum(refundStatuses),
      reason: z.enum(refundReasons).nullable(),
      created_at: z.string(),
    }),
  ),
});

export type ChargeReceipt = z.infer<typeof chargeReceiptSchema>;

export const mandateReceiptSchema = z.object({
  type: z.literal("mandate_receipt"),
  environment: z.enum(["production", "sandbox"]),
  as_of: z.string(),
  payer,
  agent: party.extend({
    verified: z.boolean().describe("Whether the agent had a verified domain at `as_of`"),
    verified_domain: z.string().nullable().describe("The agent’s domain that the directory had verified at `as_of`"),
  }),
  mandate: z.object({
    id: z.string(),
    version: z.number(),
    status: z.string(),
    purpose: z.string(),
    currency: z.string(),
    limits: z.array(
      z.object({
        key: z.string().describe("per_payment, total, total_count, month:calendar, month:calendar:count …"),
        cap: z.number(),
        used: z.number(),
        held: z.number(),
        left: z.number(),
        resets_at: z
          .string()
          .nullable()
          .describe("Null if the limit has no period, or if the mandate ends no later than the current period"),
      }),
    ),
    payees: z.array(z.union([party, z.object({ category: z.string() })])).describe("Empty: any registered merchant"),
    time_zone: z.string(),
    granted_at: z.string(),
    valid_from: z.string(),
    valid_until: z.string(),
    ended_at: z.string().nullable(),
    payer_presence: z.array(z.string()),
    step_up_above: z.number().nullable(),
    merchants_see_what_is_left: z.boolean(),
    payment_method: z.string().nullable(),
  }),
});

export type MandateReceipt = z.infer<typeof mandateReceiptSchema>;

type Issuer = {
  environment: "production" | "sandbox";
  account: { displayName: string; email: string };
};

const payerOf = ({ account }: Issuer) => ({ name: account.displayName, email: account.email });

export const toChargeReceipt = (charge: PayerChargeDetail, issuer: Issuer): ChargeReceipt => ({
  type: "charge_receipt",
  environment: issuer.environment,
  as_of: (charge.timeline[0]?.at ?? charge.createdAt).toISOString(),
  payer: payerOf(issuer),
  merchant: charge.merchant,
  agent: charge.client,
  mandate: charge.mandate,
  charge: {
    id: charge.id,
    status: charge.state,
    amount: Number(charge.amountMinor),
    currency: charge.currency,
    amount_captured: Number(charge.amountCapturedMinor),
    amount_refunded: Number(charge.amountRefundedMinor),
    reference: charge.reference,
    payer_presence: charge.payerPresence,
    payment_method: charge.paymentMethod?.label ?? null,
    created_at: charge.createdAt.toISOString(),
    approved_at: charge.approvedAt?.toISOString() ?? null,
  },
  refunds: charge.refunds.map((refund) => ({
    id: refund.id,
    amount: Number(refund.amount),
    status: refund.status,
    reason: refund.reason,
    created_at: refund.createdAt.toISOString(),
  })),
});

const toAgent = ({ id, name, verifiedDomain }: MandateView["client"]): MandateReceipt["agent"] => ({
  id,
  name,
  verified: verifiedDomain !== null,
  verified_domain: verifiedDomain,
});

export const toMandateReceipt = (mandate: MandateView, issuer: Issuer & { at: Date }): MandateReceipt => ({
  type: "mandate_receipt",
  environment: issuer.environment,
  as_of: issuer.at.toISOString(),
  payer: payerOf(issuer),
  agent: toAgent(mandate.client),
  mandate: {
    id: mandate.id,
    version: mandate.version,
    status: mandate.state,
    purpose: mandate.purpose,
    currency: mandate.currency,
    limits: mandate.limits.map((limit) => ({
      key: limit.key,
      cap: Number(limit.capMinor),
      used: Number(limit.usedMinor),
      held: Number(limit.heldMinor),
      left: Number(limit.leftMinor),
      resets_at: limit.resetsAt?.toISOString() ?? null,
    })),
    payees: mandate.payees,
    time_zone: mandate.timeZone,
    granted_at: mandate.createdAt.toISOString(),
    valid_from: mandate.validFrom.toISOString(),
    valid_until: mandate.validUntil.toISOString(),
    ended_at: mandate.endedAt?.toISOString() ?? null,
    payer_presence: [...(mandate.details.payer_presence ?? [])],
    step_up_above: mandate.stepUpAboveMinor === null ? null : Number(mandate.stepUpAboveMinor),
    merchants_see_what_is_left: mandate.budgetVisible,
    payment_method: mandate.paymentMethod?.label ?? null,
  },
});
