import { findPaymentMethodByRef } from "../../data/accounts/payment-methods.ts";
import { findPayerCharge } from "../../data/charges/charge-lists.ts";
import { type DisputeRow, findDisputesOfCharge } from "../../data/charges/disputes.ts";
import { findPaymentTimeline, type PaymentEntry } from "../../data/charges/merchant/merchant-payments.ts";
import { findShownRefunds, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import { chargeNotFound, type PayerCharge, toPayerCharge } from "../lists/list-charges.ts";

export type PayerChargeDetail = PayerCharge & {
  captureMethod: string;
  payerPresence: string;
  approvedAt: Date | null;
  /** null if the payer never had this payment method; for a removed method, it still has a value */
  paymentMethod: { label: string } | null;
  refunds: RefundRow[];
  disputes: DisputeRow[];
  /** newest first, from the audit log */
  timeline: PaymentEntry[];
};

/** Maximum number of entries in the timeline. */
const maxEntries = 200;

/** @throws DomainError not_found, also for another payer's charge. */
export const getPayerCharge = async (
  { db }: Pick<Deps, "db">,
  { payerId, chargeId }: { payerId: string; chargeId: string },
): Promise<PayerChargeDetail> => {
  const row = await findPayerCharge(db, { payerId, chargeId });
  if (!row) throw chargeNotFound();
  const { processor, paymentMethodRef: processorRef } = row;
  const [method, refunds, disputes] = await Promise.all([
    findPaymentMethodByRef(db, { payerId, processor, processorRef }),
    findShownRefunds(db.sql, chargeId),
    findDisputesOfCharge(db.sql, chargeId),
  ]);
  const subjects = [chargeId, ...refunds.map(({ id }) => id), ...disputes.map(({ id }) => id)];
  return {
    ...toPayerCharge(row),
    captureMethod: row.captureMethod,
    payerPresence: row.payerPresence,
    approvedAt: row.approvedAt,
    paymentMethod: method && { label: method.label },
    refunds,
    disputes,
    timeline: await findPaymentTimeline(db.sql, subjects, maxEntries),
  };
};
