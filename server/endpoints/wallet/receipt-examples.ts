import type { z } from "zod";
import { chargeExample } from "../../charges/events/charge-example.ts";
import type { chargeReceiptSchema, mandateReceiptSchema } from "../../charges/payers/receipts/receipts.wire.ts";

const parties = {
  environment: "production",
  as_of: "2026-11-21T10:15:02.000Z",
  payer: { name: "Ada Payer", email: "ada@example.com" },
} as const;
const agent = { id: "cl_live_7mQ2kR9sT4vXbN1pZ6wC8dYg", name: "Grocer Bot" } as const;
const merchant = { id: chargeExample.merchant_id, name: "Fresh Market" } as const;
const mandateId = chargeExample.mandate_id;

export const chargeReceiptExample: z.infer<typeof chargeReceiptSchema> = {
  type: "charge_receipt",
  ...parties,
  merchant,
  agent,
  mandate: { id: mandateId, purpose: "Weekly groceries" },
  charge: {
    id: chargeExample.id,
    status: "succeeded",
    amount: 1250,
    currency: "EUR",
    amount_captured: 1250,
    amount_refunded: 0,
    reference: "Order 77",
    payer_presence: "off_session",
    payment_method: "Visa ending in 4242",
    created_at: "2026-11-21T10:15:00.000Z",
    approved_at: null,
  },
  refunds: [],
};

export const mandateReceiptExample: z.infer<typeof mandateReceiptSchema> = {
  type: "mandate_receipt",
  ...parties,
  agent: { ...agent, verified: true, verified_domain: "grocer.example" },
  mandate: {
    id: mandateId,
    version: 1,
    status: "active",
    purpose: "Weekly groceries",
    currency: "EUR",
    limits: [{ key: "per_payment", cap: 5000, used: 0, held: 0, left: 5000, resets_at: null }],
    payees: [merchant],
    time_zone: "Europe/Berlin",
    granted_at: "2026-11-20T08:00:00.000Z",
    valid_from: "2026-11-20T08:00:00.000Z",
    valid_until: "2027-11-20T08:00:00.000Z",
    ended_at: null,
    payer_presence: ["in_session", "off_session"],
    step_up_above: null,
    merchants_see_what_is_left: false,
    payment_method: "Visa ending in 4242",
  },
};
