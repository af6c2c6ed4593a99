import type { MerchantAccounts } from "./processor-accounts.ts";

// The port to external payment processors. Adapters translate; they decide nothing about mandates. Every request that
// moves money has an idempotency key, so that repeating it moves money at most once.

export type Capabilities = {
  separateCapture: boolean;
  partialCapture: boolean;
  refund: boolean;
  /** can look up a request's outcome by our key */
  lookupByKey: boolean;
  /** sends webhooks about payments */
  webhooks: boolean;
  /** a refund may still fail within a month after it succeeded */
  lateRefundFailures: boolean;
  /** supported currencies; null: all of kernel/money */
  currencies: readonly string[] | null;
  /** by currency: the step of which amounts must be a multiple. A currency that isn't listed has the step 1. */
  amountSteps: Readonly<Record<string, bigint>>;
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
  /** sandbox only: a fault that the caller requests (docs/spec/payments.md, Simulator) */
  simulate: string | null;
};

/**
 * `isAccountFault`: the merchant's account caused the failure, so the failure doesn't count for the circuit breaker.
 */
type AccountFault = { isAccountFault?: true };
type NoAnswer =
  /** refused before it could be accepted (connection refused): nothing was submitted */
  | ({ kind: "not_sent" } & AccountFault)
  /** the outcome is unknown: time-out, broken connection, 5xx */
  | ({ kind: "unknown" } & AccountFault);

/** The processor's answer to a payment request. */
export type PaymentOutcome =
  | { kind: "succeeded"; processorRef: string }
  | { kind: "authorized"; processorRef: string }
  | { kind: "processing"; processorRef: string }
  | { kind: "requires_action"; processorRef: string; actionUrl: string }
  | { kind: "declined"; processorRef: string | null; declineCode: string; retryable: boolean; advice: string }
  | NoAnswer;

/** The current state of a payment, not the first answer. */
export type LookupOutcome =
  | PaymentOutcome
  /** an authorized payment was captured; `amountMinor` is the captured part */
  | { kind: "captured"; processorRef: string; amountMinor: bigint }
  /** an authorized payment, or one that waited for its payer, was released */
  | { kind: "voided"; processorRef: string }
  /** the payment's amount differs from the requested amount; null: the currency differs. The charge isn't settled */
  | { kind: "mismatch"; processorRef: string; amountMinor: bigint | null }
  | { kind: "not_found" };

export type LookupRequest = {
  key: string;
  chargeId: string;
  account: string;
  /** the payment's `processorRef`, if known */
  reference: string | null;
  /** as requested */
  amountMinor: bigint;
  currency: string;
};

/** One capture, void or refund of an existing payment. */
export type OperationRequest = {
  /**
   * the operation's own key: if the request is repeated under this key, it acts at most once and returns the outcome
   */
  key: string;
  account: string;
  /** the payment's `processorRef` */
  reference: string;
};
export type AmountOperationRequest = OperationRequest & { amountMinor: bigint; currency: string };
export type RefundRequest = AmountOperationRequest & {
  chargeId: string;
  refundId: string;
  /** the merchant's reason, if it gave one */
  reason?: "duplicate" | "fraudulent" | "requested_by_customer" | "other" | null;
  /** the merchant's own data */
  metadata?: Readonly<Record<string, string>>;
};

/** `key`: the key of the refund request. `refundRef`: the processor's id of the refund, if known. */
export type RefundLookupRequest = OperationRequest & { refundId: string; refundRef: string | null };

/** Final: the processor refused the operation, and nothing was done. */
export type Refused = { kind: "refused"; code: string };

/**
 * A payment is captured only once: with the capture, the processor releases the rest of the authorized amount. After
 * `not_sent` and `unknown` the same request may be repeated under the same key.
 */
export type CaptureOutcome = { kind: "captured" } | Refused | NoAnswer;
export type VoidOutcome = { kind: "voided" } | Refused | NoAnswer;
export type RefundOutcome =
  | { kind: "succeeded"; refundRef: string }
  /** `findRefund` returns the outcome later */
  | { kind: "pending"; refundRef: string }
  | { kind: "failed"; refundRef: string; code: string }
  | Refused
  | NoAnswer;

export type RefundLookupOutcome =
  | Extract<RefundOutcome, { kind: "succeeded" | "pending" | "failed" }>
  | { kind: "not_found" }
  | { kind: "unknown" };

/**
 * The charge that a payment's metadata names; null if it names none. Only a hint: the merchant may change the metadata
 * at the processor, and may have payments there that aren't ours.
 */
export type MarkedFor = string | null;

/** A refund of a payment. Only our refunds contain our id in their metadata. */
export type FoundRefund = {
  refundRef: string;
  /** our id, from the metadata */
  refundId: string | null;
  amountMinor: bigint;
  status: "pending" | "succeeded" | "failed";
  /** reason of the failure */
  code: string | null;
};
/** `not_found`: the payment doesn't exist. */
export type RefundsOutcome =
  | { kind: "refunds"; chargeId: MarkedFor; refunds: FoundRefund[] }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A payer's bank demands a payment back. `lost`: the bank keeps the money. */
export type FoundDispute = {
  kind: "dispute";
  disputeRef: string;
  /** the disputed payment's `processorRef` */
  reference: string;
  chargeId: MarkedFor;
  status: "open" | "won" | "lost";
  amountMinor: bigint;
  currency: string;
  reason: string;
  /** until then the merchant can send evidence; absent if the processor names no deadline */
  evidenceDueAt?: Date;
};
/** `not_found`: the dispute doesn't exist, or it doesn't move money. */
export type DisputeOutcome = FoundDispute | { kind: "not_found" } | { kind: "unknown" };

export type CardSetupRequest = {
  /** if the request is repeated under this key, no second setup starts */
  key: string;
  /** the URL to which the payer returns after the setup. A request to it doesn't prove that the setup was completed. */
  doneUrl: string;
  /** the URL to which the payer returns after canceling the setup */
  leaveUrl: string;
  expiresAt: Date;
};
export type CardSetupBegun = { kind: "begun"; setupRef: string; pageUrl: string } | NoAnswer;
export type CardSetupOutcome =
  /** `label`: brand and last digits, never the full number */
  | { kind: "added"; processorRef: string; type: string; label: string }
  | { kind: "open" }
  /** ended without a card */
  | { kind: "ended" }
  | { kind: "unknown" };

/** A payer enters a card on the processor's own pages, so that card numbers never reach us. */
export type CardSetups = {
  begin(request: CardSetupRequest): Promise<CardSetupBegun>;
  /** Changes nothing. */
  find(request: { setupRef: string }): Promise<CardSetupOutcome>;
};

/** A merchant's payment of an invoice, charged to a stored card while the merchant is absent. */
export type OwnPaymentRequest = Pick<PaymentRequest, "key" | "paymentMethodRef" | "amountMinor" | "currency">;

/**
 * Our own account at the processor, to which merchants pay their invoices. Payers' payments never go there: `pay` of
 * the processor needs a merchant's account.
 */
export type OwnAccount = {
  /** its name in our records */
  readonly id: string;
  /** Always resolves, like `Processor.pay`. */
  pay(request: OwnPaymentRequest): Promise<PaymentOutcome>;
  /** `not_found`: no payment has this key. This is final if the request can no longer arrive. */
  lookup(request: OwnPaymentRequest & { reference: string | null }): Promise<LookupOutcome>;
};

/**
 * A signed webhook: a hint that something changed. Its receiver looks up the object at the processor.
 * `reference`: the payment's `processorRef`
 */
export type ProcessorEvent = { id: string; type: string; account: string } & (
  | { about: "payment" | "refund"; reference: string; chargeId: MarkedFor }
  | { about: "dispute"; disputeRef: string }
  | { about: "account" }
);

export type WebhookMessage = { body: string; header(name: string): string | null; now: Date };

export type Processor = {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Always resolves: a fault is an outcome. Takes at most 8 s (connect 2 s). */
  pay(request: PaymentRequest): Promise<PaymentOutcome>;
  lookup(request: LookupRequest): Promise<LookupOutcome>;
  /** Captures an authorized payment once, in full or in part (`partialCapture`). */
  capture(request: AmountOperationRequest): Promise<CaptureOutcome>;
  /** Releases an authorized amount that isn't captured. */
  void(request: OperationRequest): Promise<VoidOutcome>;
  /** Refunds captured money, in any number of refunds up to the captured amount. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** The state of a refund. Read-only. */
  findRefund(request: RefundLookupRequest): Promise<RefundLookupOutcome>;
  /** Lists all refunds of a payment. Read-only. Absent if only we can refund. */
  listRefunds?(request: { account: string; reference: string }): Promise<RefundsOutcome>;
  /** The state of a dispute. Read-only. */
  findDispute(request: { account: string; disputeRef: string }): Promise<DisputeOutcome>;
  /**
   * Checks a requested fault. @returns the problem, as text that follows the field's name; null if the fault can be
   * simulated. Absent: the processor simulates no faults.
   */
  simulateProblem?(simulate: string): string | null;
  /**
   * Whether the caller requested a fault. The circuit breaker ignores requested faults. Absent: the processor simulates
   * no faults.
   */
  requestsFault?(request: Pick<PaymentRequest, "simulate" | "paymentMethodRef">): boolean;
  /** Absent if payers can't add a card. */
  readonly cardSetups?: CardSetups;
  /** Absent if merchants can't pay their invoices there. */
  readonly ownAccount?: OwnAccount;
  /** Absent if merchants don't connect their own accounts. */
  readonly accounts?: MerchantAccounts;
  /** @returns `forged` if the signature is missing, wrong or too old; null for events about anything else. */
  readEvent(message: WebhookMessage): ProcessorEvent | "forged" | null;
};

/** Processors by `Merchant.processor`. */
export type Processors = {
  /** @throws UnconfiguredProcessor */
  get(name: string): Processor;
};

/** This process has no credentials for the processor. */
export class UnconfiguredProcessor extends Error {
  constructor(name: string) {
    super(`the processor ${name} is not configured`);
    this.name = "UnconfiguredProcessor";
  }
}
