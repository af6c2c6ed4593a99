import { callSeconds } from "../../charges/reconcile/lookup-schedule.ts";
import type { BillingPaymentRow } from "../../data/billing/collection/payments.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentOutcome } from "../../deps/processor-port.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";
import { beginPayment, type NotBegun } from "./begin-payment.ts";
import { getOwnAccount } from "./get-own-account.ts";
import { type PaymentResult, settlePayment } from "./settle-payment.ts";

type Input = InvoiceActor & {
  invoiceId: string;
  /** if set, an invoice of another merchant is not found */
  merchantId?: string;
  /** true: pay only if dunning has scheduled an attempt for this time or earlier */
  isScheduled?: boolean;
};

/**
 * Collects the amount due of an invoice with the merchant's payment method. The attempt is committed before the
 * processor is called, its id is the processor's idempotency key, and no attempt starts while one is unresolved
 * (docs/spec/billing.md, Collection).
 * @throws DomainError not_found; conflict invoice_not_open, invoice_not_final.
 */
export const payInvoice = async (deps: Deps, input: Input): Promise<NotBegun | PaymentResult> => {
  const begun = await beginPayment(deps, input);
  if (begun.outcome !== "begun") return begun;
  const { payment } = begun;
  const { actor, requestId } = input;
  return settlePayment(deps, { payment, found: await send(deps, payment), actor, requestId });
};

/**
 * Sends no request if the attempt is older than the duration of the longest call. From that time on, other processes
 * look up the payment, and rely on the fact that no request is sent any more.
 */
const send = async (deps: Deps, payment: BillingPaymentRow): Promise<PaymentOutcome> => {
  if (deps.clock.now() > addSeconds(payment.startedAt, callSeconds)) return { kind: "unknown" };
  const { id, processor, paymentMethodRef, amount, currency } = payment;
  return getOwnAccount(deps, processor).pay({ key: id, paymentMethodRef, amountMinor: amount, currency });
};
