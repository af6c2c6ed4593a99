// Lists for SQL: states in which a charge still holds budget, and those in which it has used it (2-payments, States).
export const holding = "('reserved', 'requires_action', 'submitted', 'processing', 'unknown', 'authorized')";
export const using = "('succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed')";
