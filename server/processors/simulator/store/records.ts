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

/** A bank asks for a payment back; `lost` once it has it. */
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

/** What an operation comes to, and the payment after it; null where that stays as it is. */
export type OperationResult = {
  status: OperationStatus;
  code: string | null;
  payment: Pick<StoredPayment, "status" | "amountCaptured" | "amountRefunded"> | null;
};
