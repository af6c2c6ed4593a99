/** A charge as callers get it, for the documentation and for test events. */
export const chargeExample = {
  id: "chg_7Kq2mX9vB4nR8tW3yZ6pL1dF",
  status: "succeeded",
  amount: 1250,
  currency: "EUR",
  amount_captured: 1250,
  amount_refunded: 0,
  mandate_id: "mdt_3Fh8kP2wQ6sV9xC4bN7mJ1tD",
  merchant_id: "mch_5Rg1jT8yL3zK6pM9vX2qW4nB",
  reference: "order-1042",
  payer_presence: "in_session",
  capture_method: "automatic",
  metadata: { basket: "weekly" },
  created_at: "2026-11-21T10:15:00.000Z",
};
