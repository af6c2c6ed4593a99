/**
 * The port to external payment processors. Adapters translate; they decide nothing about mandates.
 * Every call carries a key derived from the charge id, so that repeating it moves money at most once.
 */
export type Capabilities = {
  separateCapture: boolean;
  partialCapture: boolean;
  refund: boolean;
  /** can tell by our key what became of a request */
  lookupByKey: boolean;
  /** currencies it takes; null: every one of kernel/money */
  currencies: readonly string[] | null;
};

export type PaymentRequest = {
  /** derived from the charge id; the processor's idempotency key */
  key: string;
  chargeId: string;
  /** the merchant's own account at the processor */
  account: string;
  paymentMethodRef: string;
  amountMinor: bigint;
  currency: string;
  capture: "automatic" | "manual";
  payerPresence: "in_session" | "off_session";
  /** sandbox only: a fault that the caller asks for (2-payments, `metadata.simulate`) */
  simulate: string | null;
};

/** What the processor said. `unknown` means that nobody can tell: time-out, broken connection, 5xx. */
export type PaymentOutcome =
  | { kind: "succeeded"; processorRef: string }
  | { kind: "authorized"; processorRef: string }
  | { kind: "processing"; processorRef: string }
  | { kind: "requires_action"; processorRef: string; actionUrl: string }
  | { kind: "declined"; processorRef: string; declineCode: string; retryable: boolean; advice: string }
  /** refused before it could be accepted (connection refused): nothing was submitted */
  | { kind: "not_sent" }
  | { kind: "unknown" };

export type LookupOutcome = PaymentOutcome | { kind: "not_found" };

export type Processor = {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Resolves always: a fault is an outcome. Takes 8 s at the most (connect 2 s). */
  pay(request: PaymentRequest): Promise<PaymentOutcome>;
  lookup(request: { key: string; account: string }): Promise<LookupOutcome>;
};

/** By `Merchant.processor`. */
export type Processors = { get(name: string): Processor };
