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
  /** tells on its own what becomes of payments */
  webhooks: boolean;
  /** a refund that succeeded may fail for a month after */
  lateRefundFailures: boolean;
  /** currencies it takes; null: every one of kernel/money */
  currencies: readonly string[] | null;
  /** of what an amount must be a multiple, by currency, where its unit is coarser than kernel/money's */
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
  /** sandbox only: a fault that the caller asks for (docs/spec/payments.md, Simulator) */
  simulate: string | null;
};

/** `isOfAccount`: the merchant's own account is the reason, and tells nothing of how the processor is. */
type OfAccount = { isOfAccount?: true };
type NoAnswer =
  /** refused before it could be accepted (connection refused): nothing was submitted */
  | ({ kind: "not_sent" } & OfAccount)
  /** nobody can tell: time-out, broken connection, 5xx */
  | ({ kind: "unknown" } & OfAccount);

/** What the processor said. */
export type PaymentOutcome =
  | { kind: "succeeded"; processorRef: string }
  | { kind: "authorized"; processorRef: string }
  | { kind: "processing"; processorRef: string }
  | { kind: "requires_action"; processorRef: string; actionUrl: string }
  | { kind: "declined"; processorRef: string | null; declineCode: string; retryable: boolean; advice: string }
  | NoAnswer;

/** As it stands now, and not as it was answered first. */
export type LookupOutcome =
  | PaymentOutcome
  /** what was authorized was captured, so much of it */
  | { kind: "captured"; processorRef: string; amountMinor: bigint }
  /** what was authorized, or waited for its payer, was given up */
  | { kind: "voided"; processorRef: string }
  /** what stands there is of another amount than was asked for; null: of another currency. It settles nothing */
  | { kind: "mismatch"; processorRef: string; amountMinor: bigint | null }
  | { kind: "not_found" };

export type LookupRequest = {
  key: string;
  chargeId: string;
  account: string;
  /** the payment's `processorRef`, where it is known */
  reference: string | null;
  /** as asked for */
  amountMinor: bigint;
  currency: string;
};

/** About a payment that the processor has: one capture, void or refund of it. */
export type OperationRequest = {
  /** of this operation alone; repeating it under the same key does it at most once, and tells what came of it */
  key: string;
  account: string;
  /** the payment's `processorRef` */
  reference: string;
};
export type AmountOperationRequest = OperationRequest & { amountMinor: bigint; currency: string };
export type RefundRequest = AmountOperationRequest & {
  chargeId: string;
  refundId: string;
  /** why, where the merchant says so */
  reason?: "duplicate" | "fraudulent" | "requested_by_customer" | "other" | null;
  /** the merchant's own */
  metadata?: Readonly<Record<string, string>>;
};

/** @param key as it was asked for. @param refundRef the processor's own id, where it is known. */
export type RefundLookupRequest = OperationRequest & { refundId: string; refundRef: string | null };

/** The processor's last word: it will not do it, and nothing was done. */
export type Refused = { kind: "refused"; code: string };

/**
 * The rest of an authorized amount is released by the processor with the one capture. After `not_sent` and `unknown`
 * alike the same request may be repeated under the same key.
 */
export type CaptureOutcome = { kind: "captured" } | Refused | NoAnswer;
export type VoidOutcome = { kind: "voided" } | Refused | NoAnswer;
export type RefundOutcome =
  | { kind: "succeeded"; refundRef: string }
  /** `findRefund` tells later */
  | { kind: "pending"; refundRef: string }
  | { kind: "failed"; refundRef: string; code: string }
  | Refused
  | NoAnswer;

export type RefundLookupOutcome =
  | Extract<RefundOutcome, { kind: "succeeded" | "pending" | "failed" }>
  | { kind: "not_found" }
  | { kind: "unknown" };

/**
 * The charge that a payment's mark names; null where it has none. A hint: the merchant may change it at the processor, and
 * has payments there that are none of ours.
 */
export type MarkedFor = string | null;

/** A refund of a payment, by whomever: ours alone carry our mark. */
export type FoundRefund = {
  refundRef: string;
  /** ours, by the mark */
  refundId: string | null;
  amountMinor: bigint;
  status: "pending" | "succeeded" | "failed";
  /** why it failed */
  code: string | null;
};
/** `not_found`: there is no such payment. */
export type RefundsOutcome =
  | { kind: "refunds"; chargeId: MarkedFor; refunds: FoundRefund[] }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A payer's bank asks for a payment back. `lost`: it has it. */
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
};
/** `not_found`: there is none, or nothing that moves money. */
export type DisputeOutcome = FoundDispute | { kind: "not_found" } | { kind: "unknown" };

export type CardSetupRequest = {
  /** repeating under it begins nothing twice */
  key: string;
  /** where the payer comes back to, done or not */
  doneUrl: string;
  leaveUrl: string;
  expiresAt: Date;
};
export type CardSetupBegun = { kind: "begun"; setupRef: string; pageUrl: string } | NoAnswer;
export type CardSetupOutcome =
  /** `label`: as people know the card, never its number */
  | { kind: "added"; processorRef: string; type: string; label: string }
  | { kind: "open" }
  /** over, and nothing was added */
  | { kind: "ended" }
  | { kind: "unknown" };

/** A payer gives a card on pages of the processor's own, so that no number of one ever reaches us. */
export type CardSetups = {
  begin(request: CardSetupRequest): Promise<CardSetupBegun>;
  /** Changes nothing. */
  find(request: { setupRef: string }): Promise<CardSetupOutcome>;
};

/**
 * A signed webhook: a hint that something changed, not what. Whoever gets it asks the processor itself.
 * `reference`: the payment's `processorRef`
 */
export type ProcessorEvent = { id: string; type: string; account: string } & (
  | { about: "payment" | "refund"; reference: string; chargeId: MarkedFor }
  | { about: "dispute"; disputeRef: string }
);

export type WebhookMessage = { body: string; header(name: string): string | null; now: Date };

export type Processor = {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Resolves always: a fault is an outcome. Takes 8 s at the most (connect 2 s). */
  pay(request: PaymentRequest): Promise<PaymentOutcome>;
  lookup(request: LookupRequest): Promise<LookupOutcome>;
  /** Takes an authorized payment, whole or (`partialCapture`) in part; once. */
  capture(request: AmountOperationRequest): Promise<CaptureOutcome>;
  /** Releases what was authorized and not captured. */
  void(request: OperationRequest): Promise<VoidOutcome>;
  /** Gives back captured money; any number of times, together never more than was captured. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** What has become of a refund. Changes nothing. */
  findRefund(request: RefundLookupRequest): Promise<RefundLookupOutcome>;
  /** Every refund of a payment. Changes nothing. Absent where nobody but us can refund. */
  listRefunds?(request: { account: string; reference: string }): Promise<RefundsOutcome>;
  /** How a dispute stands. Changes nothing. */
  findDispute(request: { account: string; disputeRef: string }): Promise<DisputeOutcome>;
  /** What is wrong with a fault that is asked for, said behind its field's name; null where it can be simulated. Absent: none can be. */
  simulateProblem?(simulate: string): string | null;
  /** Whether a payment was asked to fail or to hang, which tells nothing of how the processor is. Absent: none can be. */
  isSteered?(request: Pick<PaymentRequest, "simulate" | "paymentMethodRef">): boolean;
  /** Absent where payers can't add a card. */
  readonly cardSetups?: CardSetups;
  /** @returns `forged` where the signature is missing, wrong or too old; null for what is about no payment. */
  readEvent(message: WebhookMessage): ProcessorEvent | "forged" | null;
};

/** By `Merchant.processor`. */
export type Processors = {
  /** @throws UnconfiguredProcessor */
  get(name: string): Processor;
};

/** This process was given no access to that processor. */
export class UnconfiguredProcessor extends Error {
  constructor(name: string) {
    super(`the processor ${name} is not configured`);
    this.name = "UnconfiguredProcessor";
  }
}
