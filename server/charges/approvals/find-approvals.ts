import { findPaymentMethodByRef } from "../../data/accounts/payment-methods.ts";
import { findPayerCharge, findPayerChargesToActOn } from "../../data/charges/charge-lists.ts";
import { findMerchantStanding } from "../../data/merchants/standing.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { inactivityRefusal } from "../charge/refuse-inactive.ts";
import { chargeNotFound, type PayerCharge, type PayerRow, toPayerCharge } from "../lists/list-charges.ts";
import { type ApprovalState, approvalStateOf, bankConfirmation } from "../rules/approval.ts";

/** A payment that requires, or required, an action of its payer. */
export type PayerApproval = PayerCharge & {
  /** null: the payment needs no approval, only the processor's authentication */
  approvalState: ApprovalState | null;
  /** until when the payer may act; null if no action is left */
  expiresAt: Date | null;
  /** URL of the page where the payer authenticates (3-D Secure); null if no authentication is open */
  bankUrl: string | null;
  /** whether the processor requested authentication and the payer's time is over */
  hasLapsedAtBank: boolean;
  /** whether the merchant captures the payment later */
  isCapturedLater: boolean;
  /** whether the payer was absent when the payment was requested */
  isPayerAway: boolean;
};

export type ApprovalDetail = PayerApproval & {
  /** the payment method, chosen when the charge was made; a later change of the mandate's method has no effect */
  paymentMethod: { label: string; isRemoved: boolean } | null;
  /** if true, the payment can't be approved */
  isMerchantInactive: boolean;
};

type ViewDeps = Pick<Deps, "db" | "businessClock">;

/** Maximum number of payments in the list. Further payments appear after the payer has decided on these. */
const maxListed = 50;
/**
 * Only charges that were created within this time are read. A charge begins to wait for its payer within minutes of its
 * creation, or a little later if the processor requires authentication.
 */
const waitingSeconds = 24 * 3600;

/** The payments that need the payer's action now, oldest first. */
export const listApprovals = async (deps: ViewDeps, { payerId }: { payerId: string }): Promise<PayerApproval[]> => {
  const now = await deps.businessClock.now();
  const since = addSeconds(now, -waitingSeconds);
  const rows = await findPayerChargesToActOn(deps.db, { payerId, since, now, limit: maxListed });
  return rows.map((row) => toApproval(row, now)).filter(({ expiresAt }) => expiresAt !== null);
};

/**
 * @throws DomainError not_found for an unknown id, another payer's charge, and a charge that needed no action of its
 *   payer.
 */
export const getApproval = async (
  deps: ViewDeps,
  input: { payerId: string; chargeId: string },
): Promise<ApprovalDetail> => {
  const row = await findPayerCharge(deps.db, input);
  const approval = row && toApproval(row, await deps.businessClock.now());
  // The next action is kept after the payer has authenticated.
  const neededPayer = approval && (approval.approvalState !== null || row.nextAction !== null);
  if (!neededPayer) throw chargeNotFound();
  const { processor, paymentMethodRef: processorRef } = row;
  const [method, standing] = await Promise.all([
    findPaymentMethodByRef(deps.db, { payerId: input.payerId, processor, processorRef }),
    findMerchantStanding(deps.db.sql, row.merchant.id),
  ]);
  return {
    ...approval,
    paymentMethod: method && { label: method.label, isRemoved: method.removedAt !== null },
    isMerchantInactive: inactivityRefusal("approve", { standing }) !== null,
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
