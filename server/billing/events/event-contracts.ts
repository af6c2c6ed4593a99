import { z } from "zod";
import {
  type EventContent,
  type EventContract,
  paymentEventContracts,
  toEventContract,
} from "../../charges/events/event-contracts.ts";
import { type BillingEventType, billingEventTypes } from "../../data/webhooks/events.ts";
import { invoiceSummarySchema } from "../invoices/invoice.wire.ts";
import { invoiceExample } from "../invoices/invoice-example.ts";

export type { EventContract } from "../../charges/events/event-contracts.ts";

const subscriptionData = z.object({
  subscription_id: z.string(),
  merchant_id: z.string(),
  plan: z.object({ id: z.string(), version: z.int() }),
  status: z.enum(["trialing", "active", "past_due", "suspended", "cancelled"]),
  cancel_at: z.string().nullable(),
  pending_change: z
    .object({ plan: z.object({ id: z.string(), version: z.int() }), effective_at: z.string() })
    .nullable()
    .describe("The plan that follows at the end of the current period"),
});

const invoiceData = invoiceSummarySchema.extend({ merchant_id: z.string() });
const { lines: _, ...summary } = invoiceExample;
const example = { ...summary, merchant_id: "mch_5Rg1jT8yL3zK6pM9vX2qW4nB" };

const invoice = (when: string, members: Partial<typeof example> = {}): EventContent => ({
  when,
  data: invoiceData,
  example: { ...example, ...members },
});

const budgetAlertData = z.object({
  budget_alert_id: z.string(),
  merchant_id: z.string(),
  name: z.string(),
  currency: z.string(),
  period: z.object({ from: z.string(), to: z.string() }),
  threshold: z.int().describe("The amount that was reached, in the currency's minor unit"),
  percent: z.int().nullable().describe("Null if the alert is for an amount"),
  budget: z.int().nullable().describe("The budget of a period, if the alert is for a percentage"),
  spent: z.int().describe("The cost of the period so far, including tax. Credits aren’t subtracted"),
});

/** The compiler reports an event type without a contract. */
const contracts: Readonly<Record<BillingEventType, EventContent>> = {
  "invoice.finalized": invoice("An invoice became final and got its number."),
  "invoice.paid": invoice(
    "The invoice has no remaining amount due: it was paid, or settled by credits or credit notes.",
    {
      status: "paid",
      amount_paid: 13454,
      amount_due: 0,
    },
  ),
  "invoice.payment_failed": invoice(
    "A payment of the invoice failed. Unless the decline is final, it is retried up to four times.",
  ),
  "invoice.overdue": invoice("The invoice is still open after its due date."),
  "invoice.voided": invoice("The invoice was voided. No payment is required.", { status: "void", amount_due: 0 }),
  "credit_note.created": invoice("A credit note was created for an invoice.", {
    id: "inv_6Tz1cM8yR4vN9kX3wQ5pJ2bL",
    number: "CN-2027-000003",
    type: "credit_note",
    corrects: invoiceExample.id,
    status: "paid",
    due_at: "2027-02-02T00:00:00.000Z",
    taxes: [{ category: "S", rate: "19", base: 1000, amount: 190 }],
    subtotal: 1000,
    tax: 190,
    total: 1190,
    amount_due: 0,
  }),
  "subscription.updated": {
    when: "The plan, status or end date of your subscription to this service changed, or a change was requested or withdrawn.",
    data: subscriptionData,
    example: {
      subscription_id: "bsub_2Rk7vT4mX9cN6yW1qZ8pB3sJ",
      merchant_id: "mch_5Fs8nQ2wK7vX4mT9cR6yB1zJ",
      plan: { id: "pro", version: 1 },
      status: "active",
      cancel_at: null,
      pending_change: null,
    },
  },
  "budget_alert.triggered": {
    when: "The cost of the current period reached the threshold of a budget alert. Each alert fires at most once per period.",
    data: budgetAlertData,
    example: {
      budget_alert_id: "bud_4Kp9sW2vN7xT6mC1qZ8yB3rJ",
      merchant_id: "mch_5Fs8nQ2wK7vX4mT9cR6yB1zJ",
      name: "Monthly budget",
      currency: "EUR",
      period: { from: "2027-01-01T00:00:00.000Z", to: "2027-02-01T00:00:00.000Z" },
      threshold: 40_000,
      percent: 80,
      budget: 50_000,
      spent: 40_120,
    },
  },
};

/**
 * The contracts of all events. They are in the module billing, because billing imports all other modules that have
 * events.
 */
export const eventContracts: readonly EventContract[] = [
  ...paymentEventContracts,
  ...billingEventTypes.map((type) => toEventContract(type, contracts[type], "The merchant")),
];
