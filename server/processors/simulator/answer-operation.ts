import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { decideOperation } from "./operations.ts";
import type { OperationKind, StoredOperation } from "./records.ts";
import type { Store } from "./store.ts";

export type OperationCall = { account: string; paymentId: string; kind: OperationKind; key: string; body: string };

const amountSchema = z.object({ amount: z.int().min(1), currency: z.string().length(3) });

/** At most one operation per account and key; the same again is told what came of the first. */
export const answerOperation = (store: Store, call: OperationCall): { status: number; body: object } => {
  const { account, key, kind } = call;
  const requestHash = createHash("sha256").update(`${kind}\n${call.paymentId}\n${call.body}`).digest("hex");
  const known = store.findOperation(account, key);
  if (known) {
    if (known.requestHash !== requestHash) return { status: 409, body: { error: "idempotency_key_reused" } };
    return { status: 200, body: operationToWire(known) };
  }
  const payment = store.findById(call.paymentId);
  // Accounts see their own payments alone.
  if (payment?.account !== account) return { status: 404, body: { error: "payment_not_found" } };
  const amount = kind === "void" ? { amount: payment.amount, currency: payment.currency } : parseAmount(call.body);
  if (!amount) return { status: 400, body: { error: "invalid_request" } };
  if (amount.currency !== payment.currency) return { status: 400, body: { error: "currency_mismatch" } };
  const result = decideOperation(payment, kind, amount.amount);
  const operation: StoredOperation = {
    ...{ id: `${kind === "refund" ? "simr" : "simo"}_${randomBytes(12).toString("hex")}`, account, key, requestHash },
    ...{ paymentId: payment.id, kind, amount: amount.amount, createdAt: Date.now() },
    ...{ status: result.status, code: result.code },
  };
  store.record(operation, result.payment);
  return { status: 200, body: operationToWire(operation) };
};

const parseAmount = (body: string): z.output<typeof amountSchema> | null => {
  try {
    return amountSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
};

/** How long a refund of `pm_card_pendingRefund` is under way. */
const pendingRefundMs = 5_000;

export const operationToWire = (operation: StoredOperation) => {
  const isDone = operation.status === "pending" && operation.createdAt + pendingRefundMs <= Date.now();
  return {
    id: operation.id,
    payment: operation.paymentId,
    kind: operation.kind,
    amount: operation.amount,
    status: isDone ? "succeeded" : operation.status,
    code: operation.code,
    created_at: new Date(operation.createdAt).toISOString(),
  };
};
