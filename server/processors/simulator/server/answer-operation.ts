import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { OperationKind, StoredOperation, StoredPayment } from "../store/records.ts";
import type { Answer, Books } from "./answer-payment.ts";
import { behaviourOf, latencyMs } from "./behaviour.ts";
import { decideOperation } from "./operations.ts";

export type OperationCall = { account: string; paymentId: string; kind: OperationKind; key: string; body: string };

const amountSchema = z.object({ amount: z.int().min(1), currency: z.string().length(3) });

/** At most one operation per account and key; a repeat gets the outcome of the first. */
export const answerOperation = async (books: Books, call: OperationCall): Promise<Answer> => {
  const { account, key, kind } = call;
  const { store } = books;
  const isKnown = store.findOperation(account, key) !== null;
  const fault = isKnown ? null : store.takeFault(account, kind);
  // A planned fault affects only the call and its webhook, and not the operation's outcome.
  const steered = { simulate: fault, paymentMethod: "pm_card_visa", payerPresence: "in_session", capture: "automatic" };
  const behaviour = behaviourOf(steered);
  if (behaviour.call === "timeout_before_accept") return null;
  if (behaviour.call === "error_once" && store.isFirstFailure(account, key)) {
    return { status: 500, body: { error: "temporarily_broken" } };
  }
  await sleep(latencyMs(key, books.latency), undefined, { signal: books.stopped });
  const done = perform(books, call);
  if ("error" in done) return { status: done.status, body: { error: done.error } };
  if (done.isNew && done.operation.status !== "refused") {
    await books.webhooks.send(done.payment, { type: eventOf(done.operation), fault: behaviour.webhook });
    if (done.operation.status === "pending") {
      books.webhooks.sendLater(done.payment, "refund.succeeded", pendingRefundMs);
    }
  }
  return behaviour.call === "timeout_after_accept" ? null : { status: 200, body: operationToWire(done.operation) };
};

type Done = { isNew: boolean; operation: StoredOperation; payment: StoredPayment } | { status: number; error: string };

/**
 * Runs synchronously from read to write, so that two calls with the same key or for the same money can't interleave.
 */
const perform = ({ store }: Books, call: OperationCall): Done => {
  const { account, key, kind, paymentId } = call;
  const requestHash = createHash("sha256").update(`${kind}\n${paymentId}\n${call.body}`).digest("hex");
  const payment = store.findById(paymentId);
  // An account sees only its own payments.
  if (payment?.account !== account) return { status: 404, error: "payment_not_found" };
  const known = store.findOperation(account, key);
  if (known) {
    if (known.requestHash !== requestHash) return { status: 409, error: "idempotency_key_reused" };
    return { isNew: false, operation: known, payment };
  }
  const wanted = kind === "void" ? payment : parseAmount(call.body);
  if (!wanted) return { status: 400, error: "invalid_request" };
  if (wanted.currency !== payment.currency) return { status: 400, error: "currency_mismatch" };
  const result = decideOperation(payment, kind, wanted.amount);
  const operation: StoredOperation = {
    id: `${kind === "refund" ? "simr" : "simo"}_${randomBytes(12).toString("hex")}`,
    account,
    key,
    requestHash,
    paymentId,
    kind,
    amount: wanted.amount,
    createdAt: Date.now(),
    status: result.status,
    code: result.code,
  };
  store.record(operation, result.payment);
  return { isNew: true, operation, payment: { ...payment, ...result.payment } };
};

const eventOf = ({ kind, status }: StoredOperation): string => {
  if (kind === "refund") return `refund.${status}`;
  return kind === "capture" ? "payment.captured" : "payment.voided";
};

const parseAmount = (body: string): z.output<typeof amountSchema> | null => {
  try {
    return amountSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
};

/** How long a refund of `pm_card_pendingRefund` is pending. */
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
