import { findPaymentMethodByRef } from "../../data/accounts/accounts.ts";
import { findPayerCharge, findPayerChargesToActOn } from "../../data/charges/charge-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { chargeNotFound, type PayerCharge, type PayerRow, toPayerCharge } from "../lists/list-charges.ts";
import { type ApprovalState, approvalStateOf, bankConfirmation } from "../rules/approval.ts";
import { suspensionStops } from "../rules/suspension.ts";

/** A payment that waits for its payer, or did. */
export type PayerApproval = PayerCharge & {
  /** null: nobody had to approve it; the processor alone asks */
  approvalState: ApprovalState | null;
  /** until when the payer may act; null where nothing is to be done any more */
  expiresAt: Date | null;
  /** where the processor asks the payer itself (3-D Secure), while it does */
  bankUrl: string | null;
  /** the processor asked, and the payer's time to answer there is over */
  hasLapsedAtBank: boolean;
  /** the merchant takes the money later */
  isCapturedLater: boolean;
  /** it was asked for without the payer being there */
  isPayerAway: boolean;
};

export type ApprovalDetail = PayerApproval & {
  /** what it is charged to: chosen when it was asked for, whatever the mandate pays with since */
  paymentMethod: { label: string; isRemoved: boolean } | null;
  /** then it can't be approved */
  isMerchantSuspended: boolean;
};

type ViewDeps = Pick<Deps, "db" | "businessClock">;

/** More than anyone decides at once; what is left comes up as these are decided. */
const most = 50;
/** Whoever waits for the payer does so within minutes of being made; a processor may ask somewhat later. */
const waitingSeconds = 24 * 3600;

/** What the payer has to act on now, what lapses first at the top. */
export const listApprovals = async (deps: ViewDeps, { payerId }: { payerId: string }): Promise<PayerApproval[]> => {
  const now = await deps.businessClock.now();
  const since = addSeconds(now, -waitingSeconds);
  const rows = await findPayerChargesToActOn(deps.db, { payerId, since, now, limit: most });
  return rows.map((row) => toApproval(row, now)).filter(({ expiresAt }) => expiresAt !== null);
};

/** @throws DomainError not_found for an unknown id, another payer's charge, and one that asked its payer for nothing. */
export const getApproval = async (
  deps: ViewDeps,
  input: { payerId: string; chargeId: string },
): Promise<ApprovalDetail> => {
  const row = await findPayerCharge(deps.db, input);
  const approval = row && toApproval(row, await deps.businessClock.now());
  const isAsked =
    approval && (approval.approvalState !== null || approval.bankUrl !== null || approval.hasLapsedAtBank);
  if (!isAsked) throw chargeNotFound();
  const { processor, paymentMethodRef: processorRef } = row;
  const method = await findPaymentMethodByRef(deps.db, { payerId: input.payerId, processor, processorRef });
  return {
    ...approval,
    paymentMethod: method && { label: method.label, isRemoved: method.removedAt !== null },
    isMerchantSuspended: row.merchant.suspendedAt !== null && suspensionStops("approve"),
  };
};

const toApproval = (row: PayerRow, now: Date): PayerApproval => {
  const approvalState = approvalStateOf(row, now);
  const atBank = bankConfirmation(row, now);
  const { nextAction } = row;
  return {
    ...toPayerCharge(row),
    approvalState,
    expiresAt:
      nextAction && (atBank === "waiting" || approvalState === "waiting") ? new Date(nextAction.expires_at) : null,
    bankUrl: nextAction && atBank === "waiting" ? nextAction.url : null,
    hasLapsedAtBank: atBank === "lapsed",
    isCapturedLater: row.captureMethod === "manual",
    isPayerAway: row.payerPresence === "off_session",
  };
};
