import type { PayerPresence } from "../agents/mandate.ts";
import type { Reason } from "../errors/errors.ts";

export type ChargeStatus =
  | "reserved"
  | "requires_action"
  | "submitted"
  | "processing"
  | "unknown"
  | "authorized"
  | "succeeded"
  | "captured"
  | "partially_captured"
  | "partially_refunded"
  | "refunded"
  | "declined"
  | "voided"
  | "expired"
  | "disputed";

export type Decline = { code: string; declineCode: string; retryable: boolean; advice: string };

/** One attempt to move money under a mandate. Amounts are integers in the currency's minor unit. */
export type Charge = {
  id: string;
  status: ChargeStatus;
  amount: number;
  currency: string;
  amountCaptured: number;
  amountRefunded: number;
  mandateId: string;
  merchantId: string;
  reference: string | null;
  payerPresence: PayerPresence;
  captureMethod: "automatic" | "manual";
  metadata: Record<string, string>;
  createdAt: string;
  /** what the payer must do; with status `requires_action` */
  nextAction?: { type: string; url: string; expiresAt: string };
  decline?: Decline;
};

export type RefundReason = "duplicate" | "fraudulent" | "requested_by_customer" | "other";

export type Refund = {
  id: string;
  chargeId: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  reason: RefundReason | null;
  metadata: Record<string, string>;
  createdAt: string;
};

/** Whether a payment would be allowed now. When it is charged, it is checked again. */
export type Verdict = {
  valid: boolean;
  /** null if the presented credential is refused, because the server then reveals nothing about the mandate */
  mandateId: string | null;
  status: string | null;
  version: number | null;
  reasons: Reason[];
  stepUpRequired: boolean;
  /** what remains of the limits; present only if the payer lets merchants see it */
  left?: { constraint: string; amount?: number; payments?: number; resetsAt?: string }[];
  checkedAt: string;
  verdictExpiresAt: string;
  statusList: { format: string; purpose: string; uri: string; index: number }[];
  /** the signed verdict, for `verifyReceipt` */
  receipt: string;
};

/** What a merchant sends to use a mandate: exactly one of three. */
export type MandateUse =
  | { mandateId: string }
  | { presentation: string }
  | { mandateToken: string; mandateTokenProof: string };
