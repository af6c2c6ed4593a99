/** Examples of the documentation, as the API returns them. */
export const subscriptionExample = {
  id: "bsub_2Rk7vT4mX9cN6yW1qZ8pB3sJ",
  plan: { id: "pro", version: 1 },
  status: "active",
  anchor_day: 1,
  time_zone: "Europe/Berlin",
  currencies: ["EUR"],
  period: { from: "2026-10-31T23:00:00.000Z", to: "2026-11-30T23:00:00.000Z" },
  trial_ends_at: null,
  cancel_at: null,
  pending_change: { plan: { id: "scale", version: 2 }, effective_at: "2026-11-30T23:00:00.000Z" },
} as const;

const period = { from: "2026-11-30T23:00:00.000Z", to: "2026-12-31T23:00:00.000Z" };
const tax = { category: "S", rate: "19" };

export const previewExample = {
  as_of: "2026-11-26T09:00:00.000Z",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  forecast: false,
  due_now: null,
  next: {
    id: "preview",
    number: null,
    type: "invoice",
    corrects: null,
    status: "draft",
    currency: "EUR",
    period,
    plan: { id: "scale", version: 2 },
    issued_at: null,
    due_at: null,
    lines: [
      {
        id: "line_1",
        kind: "flat",
        meter: null,
        description: "Flat fee",
        period,
        quantity: 1,
        exact: "19900",
        amount: 19900,
        discount: 0,
        net: 19900,
        tax,
        events: null,
      },
    ],
    discounts: [],
    taxes: [{ ...tax, base: 19900, amount: 3781 }],
    subtotal: 19900,
    discount: 0,
    tax: 3781,
    total: 23681,
    credit_applied: 0,
    prepaid_applied: 0,
    amount_paid: 0,
    amount_due: 23681,
    pdf_sha256: null,
  },
} as const;
