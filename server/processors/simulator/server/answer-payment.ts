import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { StoredPayment } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { openDispute } from "./answer-dispute.ts";
import { behaviourOf, latencyMs } from "./behaviour.ts";
import type { Webhooks } from "./deliver-webhooks.ts";

/** Null: no answer, so the caller times out. */
export type Answer = { status: number; body: object } | null;

export const outage: Answer = { status: 500, body: { error: "outage" } };

export type Books = {
  store: Store;
  webhooks: Webhooks;
  latency: readonly [number, number];
  stopped: AbortSignal;
  /** the request's host, for URLs in answers */
  host: string;
};

const paymentSchema = z.object({
  account: z.string().min(1),
  amount: z.int().min(1),
  currency: z.string().length(3),
  capture: z.enum(["automatic", "manual"]),
  payment_method: z.string().min(1),
  payer_presence: z.enum(["in_session", "off_session"]),
  charge_id: z.string(),
  simulate: z.string().nullable(),
});

/** At most one payment per account and key; a repeat gets the payment's current state. */
export const answerPayment = async (books: Books, key: string, body: string): Promise<Answer> => {
  const { store, webhooks } = books;
  const parsed = paymentSchema.safeParse(parseJson(body));
  if (!parsed.success) return { status: 400, body: { error: "invalid_request" } };
  const { account, ...wanted } = parsed.data;
  if (store.isOut(account)) return outage;
  const known = store.findByKey(account, key);
  const simulate = (known ? null : store.takeFault(account, "payment")) ?? wanted.simulate;
  const { call, webhook, status, declineCode } = behaviourOf({
    simulate,
    capture: wanted.capture,
    paymentMethod: wanted.payment_method,
    payerPresence: wanted.payer_presence,
  });
  if (!known && call === "timeout_before_accept") return null;
  if (!known && call === "error_once" && store.isFirstFailure(account, key)) {
    return { status: 500, body: { error: "temporarily_broken" } };
  }
  await sleep(latencyMs(key, books.latency), undefined, { signal: books.stopped });
  const id = `sim_${randomBytes(12).toString("hex")}`;
  const requestHash = createHash("sha256").update(body).digest("hex");
  const { payment, sent } = await store.soon(() => {
    const accepted = store.accept({
      id,
      account,
      key,
      requestHash,
      status,
      declineCode,
      createdAt: Date.now(),
      chargeId: wanted.charge_id,
      amount: wanted.amount,
      amountCaptured: status === "succeeded" ? wanted.amount : 0,
      amountRefunded: 0,
      currency: wanted.currency,
      capture: wanted.capture,
      paymentMethod: wanted.payment_method,
    });
    const isNew = accepted.id === id;
    return {
      payment: accepted,
      sent: isNew ? webhooks.send(accepted, { type: `payment.${accepted.status}`, fault: webhook }) : null,
    };
  });
  if (payment.requestHash !== requestHash) return { status: 409, body: { error: "idempotency_key_reused" } };
  await sent;
  // Stripe's test method for disputes.
  if (payment.id === id && status === "succeeded" && wanted.payment_method === "pm_card_createDispute") {
    await openDispute(books, payment, { amount: payment.amount, reason: "fraudulent" });
  }
  if (!known && call === "timeout_after_accept") return null;
  return { status: 200, body: paymentToWire(payment, books.host) };
};

export const paymentToWire = (payment: StoredPayment, host: string) => {
  const { status } = payment;
  return {
    id: payment.id,
    account: payment.account,
    key: payment.key,
    status,
    amount: payment.amount,
    amount_captured: payment.amountCaptured,
    amount_refunded: payment.amountRefunded,
    currency: payment.currency,
    capture: payment.capture,
    charge_id: payment.chargeId,
    decline_code: payment.declineCode,
    action_url: status === "requires_action" ? `http://${host}/authenticate/${payment.id}` : null,
    created_at: new Date(payment.createdAt).toISOString(),
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
