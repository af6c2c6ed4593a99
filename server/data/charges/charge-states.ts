// Lists for SQL: states in which a charge still holds budget, and those in which it has used it (docs/spec/payments.md,
// Charge states).
export const holding = "('reserved', 'requires_action', 'submitted', 'processing', 'unknown', 'authorized')";
export const using = "('succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed')";
