import { findCharge } from "../../data/charges/charges.ts";
import { findDisputesOfCharge } from "../../data/charges/disputes.ts";
import {
  findMerchantPayment,
  findMerchantPayments,
  findPaymentTimeline,
  hasMoreOfMandate,
  isChargeId,
  type PaymentEntry,
} from "../../data/charges/merchant/merchant-payments.ts";
import { hasMorePrefixMatches } from "../../data/charges/reference-prefix.ts";
import { findShownRefunds, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { ChargeState } from "../rules/charge-states.ts";
import { chargeNotFound } from "./list-charges.ts";

export type PaymentView = Awaited<ReturnType<typeof findMerchantPayments>>[number];

/** Finds the merchant of a charge, for authorization; null if there is no such charge. */
export const findChargeMerchant = async (deps: Pick<Deps, "db">, input: { chargeId: string }): Promise<string | null> =>
  (await findCharge(deps.db.sql, input.chargeId))?.merchantId ?? null;

type PaymentsFound = {
  payments: PaymentView[];
  hasMore: boolean;
  /**
   * Whether payments of the merchant are missing: `references` because too many references start with the text,
   * `mandate` because the mandate has too many payments.
   */
  cut: { references: boolean; mandate: boolean };
};

/** A merchant's payments, newest first; only those under the mandate and in `states` if given. */
export const findPayments = async (
  deps: Pick<Deps, "db">,
  input: {
    merchantId: string;
    mandateId?: string | undefined;
    states?: readonly ChargeState[] | undefined;
    since?: Date | undefined;
    until?: Date | undefined;
    /** the start of a reference, or the id of a charge */
    search?: string | undefined;
    limit: number;
    startingAfter?: string | undefined;
  },
): Promise<PaymentsFound> => {
  const { merchantId, mandateId = null, states = null, since = null, until = null, search = null } = input;
  const { limit, startingAfter = null } = input;
  let createdBefore = until;
  let after: { id: string; createdAt: Date } | null = null;
  if (startingAfter !== null) {
    const cursor = await findCharge(deps.db.sql, startingAfter);
    // Another merchant's charge counts as unknown, so that its position in the list is not revealed.
    if (cursor?.merchantId !== merchantId)
      return { payments: [], hasMore: false, cut: { references: false, mandate: false } };
    after = { id: startingAfter, createdAt: cursor.createdAt };
    // The cursor alone doesn't limit the index range. Without this condition, PostgreSQL would read all newer payments
    // again for each page.
    const end = new Date(cursor.createdAt.getTime() + 1);
    if (createdBefore === null || end < createdBefore) createdBefore = end;
  }
  const filters = { merchantId, mandateId, states, since, until: createdBefore, search };
  const rows = await findMerchantPayments(deps.db, { ...filters, limit, after });
  const hasMore = rows.length > limit;
  const isByPrefix = search !== null && !isChargeId(search) && mandateId === null;
  const cut = {
    references: isByPrefix && (await hasMorePrefixMatches(deps.db.sql, { text: search, merchantId })),
    mandate: mandateId !== null && !hasMore && (await hasMoreOfMandate(deps.db.sql, { ...filters, mandateId, after })),
  };
  return { payments: rows.slice(0, limit), hasMore, cut };
};

const maxEntries = 200;

export type PaymentDetail = PaymentView & { refunds: RefundRow[]; timeline: PaymentEntry[] };

/**
 * One payment with its refunds, and the history of payment, refunds and disputes.
 * @throws DomainError not_found, also for another merchant's payment.
 */
export const getPayment = async (
  deps: Pick<Deps, "db">,
  { merchantId, chargeId }: { merchantId: string; chargeId: string },
): Promise<PaymentDetail> => {
  const payment = await findMerchantPayment(deps.db, { id: chargeId, merchantId });
  if (!payment) throw chargeNotFound();
  const refunds = await findShownRefunds(deps.db.sql, chargeId);
  const disputes = await findDisputesOfCharge(deps.db.sql, chargeId);
  const subjects = [chargeId, ...refunds.map(({ id }) => id), ...disputes.map(({ id }) => id)];
  return { ...payment, refunds, timeline: await findPaymentTimeline(deps.db.sql, subjects, maxEntries) };
};
