import { z } from "zod";
import { type EventType, type PaymentEventType, paymentEventTypes } from "../../data/webhooks/events.ts";
import { chargeSchema, disputeSchema, refundSchema } from "../charge/charge.wire.ts";
import { chargeExample } from "./charge-example.ts";

const mandateData = z.object({
  mandate_id: z.string(),
  status: z.enum(["active", "suspended", "revoked", "expired", "consumed"]),
  version: z.int().describe("Increases with every change of the terms or the payment method"),
  client_id: z.string(),
  reason: z
    .literal("credential_withdrawn")
    .optional()
    .describe(
      "Only in `mandate.updated`, if the key of the mandate's credential was revoked: fetch the new credential",
    ),
});

const limitData = mandateData.omit({ reason: true }).extend({
  limits: z
    .array(
      z.object({
        constraint: z.string().describe("The limit's field in the mandate, for example `max_total_amount`"),
        cap: z.number(),
        used: z.number(),
        resets_at: z.string().optional().describe("Only for a periodic limit: the end of the current period"),
      }),
    )
    .optional()
    .describe("Limits that reached 80% with this capture; sent to the client, not to merchants"),
});

const mandateExample = {
  mandate_id: chargeExample.mandate_id,
  status: "active",
  version: 1,
  client_id: "cl_live_8Wd2kR5tQ9xB3nV7mC1zJ6pH",
};
const refundExample = {
  id: "rfd_4Np7sL2wX9tC6vK1qZ8mB3rJ",
  charge_id: chargeExample.id,
  amount: 500,
  status: "succeeded",
  reason: "requested_by_customer",
  metadata: { ticket: "4711" },
  created_at: "2026-11-22T09:00:00.000Z",
};
const disputeExample = {
  id: "dsp_6Tz1cM8yR4vN9kX3wQ5pJ2bL",
  charge_id: chargeExample.id,
  amount: 1250,
  currency: "EUR",
  reason: "fraudulent",
  status: "open",
  created_at: "2026-12-01T08:30:00.000Z",
};
const decline = {
  code: "card_declined",
  decline_code: "insufficient_funds",
  retryable: true,
  advice: "Insufficient funds. Try again later, or ask for another payment method.",
};
const uncaptured = { ...chargeExample, amount_captured: 0 };
const manual = { ...chargeExample, capture_method: "manual" };

/** What an event means and contains, without its envelope. */
export type EventContent = { when: string; data: z.ZodObject; example: Readonly<Record<string, unknown>> };

const mandate = (when: string, members: object): EventContent => ({
  when,
  data: mandateData,
  example: { ...mandateExample, ...members },
});
const charge = (when: string, example: EventContent["example"]): EventContent => ({
  when,
  example,
  data: chargeSchema,
});

/** One contract for every payment event type; the compiler reports a missing one. */
const contracts: Readonly<Record<PaymentEventType, EventContent>> = {
  "mandate.activated": mandate("The payer approved the mandate.", {}),
  "mandate.updated": mandate(
    "The terms or the payment method changed, or the key of the credential was revoked. The agent must fetch the new credential.",
    {
      version: 2,
    },
  ),
  "mandate.suspended": mandate("The payer or an operator suspended the mandate.", { status: "suspended" }),
  "mandate.resumed": mandate("The last suspension was lifted, so the mandate is active again.", {}),
  "mandate.revoked": mandate("The payer, the client or an operator revoked the mandate.", { status: "revoked" }),
  "mandate.expired": mandate("The mandate reached its end.", { status: "expired" }),
  "mandate.consumed": mandate("A lifetime limit is used up.", { status: "consumed" }),
  "mandate.limit_approaching": {
    when: "After a capture, 80% or more of a limit is used.",
    data: limitData,
    example: { ...mandateExample, limits: [{ constraint: "max_total_amount", cap: 10_000, used: 8_500 }] },
  },
  "charge.authorized": charge("The processor authorized the charge. Capture or void it.", {
    ...uncaptured,
    ...manual,
    status: "authorized",
    amount_captured: 0,
  }),
  "charge.succeeded": charge("The charge succeeded and was captured.", chargeExample),
  "charge.declined": charge("The charge was declined. No money moved.", { ...uncaptured, status: "declined", decline }),
  "charge.requires_action": charge("The payer must approve the charge, or authenticate at the bank.", {
    ...uncaptured,
    status: "requires_action",
    next_action: {
      type: "redirect",
      url: "https://pay.example.com/wallet/approvals/chg_7Kq2mX9vB4nR8tW3yZ6pL1dF",
      expires_at: "2026-11-21T10:30:00.000Z",
    },
  }),
  "charge.unknown": charge("The outcome isn’t known yet. The charge is settled later.", {
    ...uncaptured,
    status: "unknown",
  }),
  "charge.reconciled": charge(
    "The outcome of an unknown charge became known. This event is sent after the event for the outcome, such as charge.succeeded.",
    {
      ...chargeExample,
    },
  ),
  "charge.captured": charge("An authorized charge was captured, in whole or in part.", {
    ...manual,
    status: "captured",
  }),
  "charge.voided": charge("The charge was canceled before any money moved.", { ...uncaptured, status: "voided" }),
  "charge.expired": charge("The charge expired before any money moved.", { ...uncaptured, status: "expired" }),
  "refund.succeeded": { when: "The processor made the refund.", data: refundSchema, example: refundExample },
  "refund.failed": {
    when: "The refund failed. If the payer’s bank returns the money, this event can follow `refund.succeeded`.",
    data: refundSchema,
    example: { ...refundExample, status: "failed" },
  },
  "dispute.opened": {
    when: "The payer disputes the charge at their bank.",
    data: disputeSchema,
    example: disputeExample,
  },
  "dispute.closed": {
    when: "The bank decided the dispute.",
    data: disputeSchema,
    example: { ...disputeExample, status: "won", closed_at: "2026-12-20T14:00:00.000Z" },
  },
};

const recipients: Readonly<Record<string, string>> = {
  mandate:
    "The mandate’s client, merchants that `payees` names by ID, and merchants that charged the mandate. Merchants don’t receive limits.",
  charge: "The charge’s merchant and the mandate’s client",
  refund: "The charge’s merchant and the mandate’s client",
  dispute: "The charge’s merchant and the mandate’s client",
};

/** An event as receivers get it: `{id, type, timestamp, sequence, data}` (docs/spec/payments.md, Webhooks). */
export type EventContract = {
  type: EventType;
  /** what happened */
  when: string;
  recipients: string;
  /** schema of the whole body */
  schema: z.ZodObject;
  example: Readonly<Record<string, unknown>>;
};

/** @param recipients who receives it */
export const toEventContract = (
  type: EventType,
  { when, data, example }: EventContent,
  recipients: string,
): EventContract => ({
  type,
  when,
  recipients,
  schema: z.object({
    id: z.string().describe("The same for every attempt; also in `webhook-id`"),
    type: z.literal(type),
    timestamp: z.string().describe("When it happened (RFC 3339)"),
    sequence: z.int().describe("Number of the event within its object: 1, 2, 3, without gaps"),
    data,
  }),
  example: {
    id: "evt_2Bv6qK9mT3xW8rN4yL7zC1jP",
    type,
    timestamp: "2026-11-21T10:15:00.000Z",
    sequence: 1,
    data: example,
  },
});

export const paymentEventContracts: readonly EventContract[] = paymentEventTypes.map((type) =>
  toEventContract(type, contracts[type], recipients[type.split(".")[0] ?? ""] ?? ""),
);
