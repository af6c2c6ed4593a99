import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { StoredDispute, StoredPayment } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "./deliver-webhooks.ts";

type Answer = { status: number; body: object };
type DisputeContext = { store: Store; webhooks: Webhooks };

const openSchema = z.strictObject({
  account: z.string().min(1),
  charge_id: z.string().min(1),
  /** absent: the captured amount */
  amount: z.int().min(1).optional(),
  reason: z.string().min(1).max(100).default("fraudulent"),
});
const closeSchema = z.strictObject({ account: z.string().min(1), status: z.enum(["won", "lost"]) });

/** Opens a dispute about a payment, and sends its webhook. */
export const openDispute = async (
  { store, webhooks }: DisputeContext,
  payment: StoredPayment,
  { amount, reason }: { amount: number; reason: string },
): Promise<StoredDispute> => {
  const dispute: StoredDispute = {
    id: `simd_${randomBytes(12).toString("hex")}`,
    account: payment.account,
    paymentId: payment.id,
    amount,
    reason,
    status: "open",
    createdAt: Date.now(),
  };
  store.openDispute(dispute);
  await webhooks.send(payment, { type: "dispute.opened", fault: null, dispute: dispute.id });
  return dispute;
};

/** The control API for disputes: `POST /control/disputes`, and `POST /control/disputes/{id}/close`. */
export const answerDisputeControl = async (
  books: DisputeContext,
  { id, body }: { id: string | null; body: unknown },
): Promise<Answer> => (id === null ? answerOpen(books, body) : answerClose(books, id, body));

const answerOpen = async (books: DisputeContext, body: unknown): Promise<Answer> => {
  const { data } = openSchema.safeParse(body);
  if (!data) return { status: 400, body: { error: "invalid_request" } };
  const payment = books.store.findByCharge(data.account, data.charge_id);
  if (payment?.status !== "succeeded") return { status: 404, body: { error: "not_found" } };
  const { amount = payment.amountCaptured, reason } = data;
  if (amount > payment.amountCaptured) return { status: 400, body: { error: "amount_too_large" } };
  const dispute = await openDispute(books, payment, { amount, reason });
  return { status: 201, body: disputeToWire(dispute, payment) };
};

const answerClose = async ({ store, webhooks }: DisputeContext, id: string, body: unknown): Promise<Answer> => {
  const { data } = closeSchema.safeParse(body);
  if (!data) return { status: 400, body: { error: "invalid_request" } };
  const dispute = store.findDispute(data.account, id);
  const payment = dispute && store.findById(dispute.paymentId);
  if (!payment) return { status: 404, body: { error: "not_found" } };
  if (!store.closeDispute(data.account, id, data.status)) return { status: 409, body: { error: "already_closed" } };
  await webhooks.send(payment, { type: "dispute.closed", fault: null, dispute: id });
  return { status: 200, body: disputeToWire({ ...dispute, status: data.status }, payment) };
};

/** As at Stripe, a merchant has some weeks (docs.stripe.com/disputes/responding). */
const evidenceMilliseconds = 20 * 24 * 3600 * 1000;

export const disputeToWire = (dispute: StoredDispute, payment: StoredPayment) => ({
  id: dispute.id,
  payment: payment.id,
  charge_id: payment.chargeId,
  amount: dispute.amount,
  currency: payment.currency,
  reason: dispute.reason,
  status: dispute.status,
  created_at: new Date(dispute.createdAt).toISOString(),
  evidence_due_by: new Date(dispute.createdAt + evidenceMilliseconds).toISOString(),
});
