import { findCharge } from "../../data/charges/charges.ts";
import { findDisputesOfCharge } from "../../data/charges/disputes.ts";
import {
  findMerchantPayment,
  findMerchantPayments,
  findPaymentTimeline,
  type PaymentEntry,
} from "../../data/charges/merchant-payments.ts";
import { findRefundsOfCharge, type RefundRow } from "../../data/charges/refunds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { ChargeState } from "../rules/charge-states.ts";
import { chargeNotFound } from "./list-charges.ts";

export type PaymentView = Awaited<ReturnType<typeof findMerchantPayments>>[number];

/** For the one decision about who may do what: the merchant that charged; null where there is no such charge. */
export const findChargeMerchant = async (deps: Pick<Deps, "db">, input: { chargeId: string }): Promise<string | null> =>
  (await findCharge(deps.db.sql, input.chargeId))?.merchantId ?? null;

/** A merchant's payments, newest first; in some states where `states` are given. */
export const findPayments = async (
  deps: Pick<Deps, "db">,
  input: {
    merchantId: string;
    states?: readonly ChargeState[] | undefined;
    since?: Date;
    limit: number;
    startingAfter?: string | undefined;
  },
): Promise<{ payments: PaymentView[]; hasMore: boolean }> => {
  const { merchantId, states = null, since = null, limit, startingAfter = null } = input;
  if (startingAfter !== null) {
    const cursor = await findCharge(deps.db.sql, startingAfter);
    // Another merchant's charge is as unknown as none: where it stands in time is not told.
    if (cursor?.merchantId !== merchantId) return { payments: [], hasMore: false };
  }
  const rows = await findMerchantPayments(deps.db, { merchantId, states, since, limit, startingAfter });
  return { payments: rows.slice(0, limit), hasMore: rows.length > limit };
};

/** Of one charge; those beyond are in the API's list. */
const shownRefunds = 100;
const shownEntries = 200;

export type PaymentDetail = PaymentView & { refunds: RefundRow[]; timeline: PaymentEntry[] };

/** One payment with its refunds, and what happened to it, to them and in its disputes. @throws DomainError not_found for another merchant's too. */
export const getPayment = async (
  deps: Pick<Deps, "db">,
  { merchantId, chargeId }: { merchantId: string; chargeId: string },
): Promise<PaymentDetail> => {
  const payment = await findMerchantPayment(deps.db, { id: chargeId, merchantId });
  if (!payment) throw chargeNotFound();
  const refunds = await findRefundsOfCharge(deps.db.sql, chargeId, { limit: shownRefunds, after: null, before: null });
  const disputes = await findDisputesOfCharge(deps.db.sql, chargeId);
  const subjects = [chargeId, ...refunds.map(({ id }) => id), ...disputes.map(({ id }) => id)];
  return { ...payment, refunds, timeline: await findPaymentTimeline(deps.db.sql, subjects, shownEntries) };
};
