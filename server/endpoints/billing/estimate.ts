import type { z } from "zod";
import { type EstimateObject, estimateRequestSchema, estimateSchema } from "../../billing/estimate/estimate.wire.ts";
import { type Estimate, estimateInvoice } from "../../billing/estimate/estimate-invoice.ts";
import { toInvoiceObject } from "../../billing/invoices/invoice.wire.ts";
import { formatExact } from "../../billing/rules/exact/exact.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";

const toEstimateObject = ({ invoice, explanation }: Estimate): EstimateObject => ({
  invoice: toInvoiceObject(invoice),
  explanation: explanation.map(({ line, steps }) => ({
    line,
    steps: steps.map(({ from, to, units, exact }) => ({
      from: Number(from),
      to: Number(to),
      units: Number(units),
      exact: formatExact(exact),
    })),
  })),
});

const period = { from: "2026-11-26T00:00:00.000Z", to: "2026-12-26T00:00:00.000Z" };
const tax = { category: "S", rate: "19" };
const line = { period, discount: 0, tax, events: null };

const example: z.infer<typeof estimateSchema> = {
  invoice: {
    id: "estimate",
    number: null,
    type: "invoice",
    corrects: null,
    status: "draft",
    currency: "EUR",
    period,
    plan: { id: "pro", version: 1 },
    issued_at: null,
    due_at: null,
    lines: [
      {
        ...line,
        id: "line_1",
        kind: "flat",
        meter: null,
        description: "Flat fee",
        quantity: 1,
        exact: "4900",
        amount: 4900,
        net: 4900,
      },
      {
        ...line,
        id: "line_2",
        kind: "usage",
        meter: "tokens_issued",
        description: "Tokens issued",
        quantity: 10_003,
        exact: "2.4",
        amount: 2,
        net: 2,
      },
    ],
    discounts: [],
    taxes: [{ ...tax, base: 4902, amount: 931 }],
    subtotal: 4902,
    discount: 0,
    tax: 931,
    total: 5833,
    credit_applied: 0,
    prepaid_applied: 0,
    amount_paid: 0,
    amount_due: 5833,
    pdf_sha256: null,
  },
  explanation: [
    { line: "line_1", steps: [{ from: 0, to: 1, units: 1, exact: "4900" }] },
    {
      line: "line_2",
      steps: [
        { from: 0, to: 10_000, units: 10_000, exact: "0" },
        { from: 10_000, to: 10_003, units: 3, exact: "2.4" },
      ],
    },
  ],
};

export const estimateEndpoint = defineEndpoint({
  method: "POST",
  path: "/billing/estimate",
  operationId: "estimateInvoice",
  summary: "Estimate an invoice for given usage under a public plan",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "none" },
  isPublic: true,
  errors: "problem",
  errorCodes: [
    "invalid_request",
    "plan_not_found",
    "currency_not_priced",
    "coupon_not_applicable",
    "estimate_too_large",
  ],
  request: {
    content: "json",
    body: estimateRequestSchema,
    example: { plan: "pro", currency: "EUR", tax_region: "DE", usage: { tokens_issued: 10_003 } },
  },
  responses: {
    200: {
      description:
        "The invoice as the service would compute it, and how each line’s price is computed. Nothing is stored. The period is the first period of a subscription that starts today. Without `tax_region`, the estimate has no tax",
      schema: estimateSchema,
      example,
    },
  },
  async handle({ deps }, { body }) {
    return { status: 200, headers: noStore, body: toEstimateObject(await estimateInvoice(deps, body)) };
  },
});
