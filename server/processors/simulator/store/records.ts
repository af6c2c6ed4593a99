export type PaymentStatus = "succeeded" | "authorized" | "processing" | "requires_action" | "declined" | "voided";

export type StoredPayment = {
  id: string;
  account: string;
  key: string;
  requestHash: string;
  status: PaymentStatus;
  amount: number;
  amountCaptured: number;
  amountRefunded: number;
  currency: string;
  capture: "automatic" | "manual";
  paymentMethod: string;
  chargeId: string;
  declineCode: string | null;
  createdAt: number;
};

export type StoredOperation = {
  id: string;
  account: string;
  key: string;
  requestHash: string;
  paymentId: string;
  kind: OperationKind;
  amount: number;
  status: OperationStatus;
  code: string | null;
  createdAt: number;
};

/** A bank reclaims a payment; `lost` once the bank has the money. */
export type StoredDispute = {
  id: string;
  account: string;
  paymentId: string;
  amount: number;
  reason: string;
  status: "open" | "won" | "lost";
  createdAt: number;
};

export type OperationKind = "capture" | "void" | "refund";
type OperationStatus = "succeeded" | "pending" | "failed" | "refused";

/** The outcome of an operation, and the payment's changes; null if it doesn't change. */
export type OperationResult = {
  status: OperationStatus;
  code: string | null;
  payment: Pick<StoredPayment, "status" | "amountCaptured" | "amountRefunded"> | null;
};
