import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import { claimDueDisputes } from "../../data/charges/disputes.ts";
import type { Deps } from "../../deps/deps.ts";
import type { FoundDispute } from "../../deps/processor-port.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { findChargeOfPayment } from "../reconcile/find-charge-of-payment.ts";
import { lookUpPayment } from "../reconcile/look-up-payment.ts";
import { settleFound } from "../reconcile/settle-found.ts";
import { raiseContradiction } from "../review/raise-contradiction.ts";
import { isUnpaid } from "../rules/charge-states.ts";
import { type DisputedBy, disputeLookupSeconds, settleDispute } from "./settle-dispute.ts";

type DisputeReference = { processor: string; account: string; disputeRef: string };

/**
 * Asks the processor for a dispute's state, and records it.
 * @throws DomainError unavailable while the dispute's state is unknown or its payment isn't recorded as captured. The
 *   processor must send its event again. A dispute that the processor doesn't know is ignored.
 */
export const lookUpDispute = async (
  deps: Deps,
  { processor, ...dispute }: DisputeReference,
  by: DisputedBy,
): Promise<void> => {
  const found = await deps.processors.get(processor).findDispute(dispute);
  if (found.kind === "not_found") return;
  if (found.kind === "unknown") throw notKnownYetRefusal();
  const charge = await findChargeOfPayment(deps.db.sql, { ...found, processor, account: dispute.account });
  if (!charge) return;
  const paid = await asPaid(deps, charge, { reference: found.reference, by });
  if (paid === null || isUnpaid(paid)) return raise(deps, charge, { found, by });
  if (paid.amountCaptured === 0n) throw notKnownYetRefusal();
  if (paid.processorRef !== found.reference) return;
  await settleDispute(deps, { ...found, chargeId: paid.id }, by);
};

/**
 * A disputed payment has always been paid. If this wasn't reported yet, the payment is first looked up and
 * settled.
 * @returns null if the payment has another amount or currency.
 */
const asPaid = async (
  deps: Deps,
  charge: ChargeRow,
  { reference, by }: { reference: string; by: DisputedBy },
): Promise<ChargeRow | null> => {
  if (charge.amountCaptured > 0n || !charge.submittedAt) return charge;
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId, reference });
  return found.kind === "mismatch" ? null : settleFound(deps, charge, { found, by });
};

/** A dispute contradicts our records if the charge is unpaid, or its payment has another amount or currency. */
const raise = (deps: Deps, charge: ChargeRow, { found, by }: { found: FoundDispute; by: DisputedBy }): Promise<void> =>
  raiseContradiction(deps, charge, {
    about: "payment",
    processorRef: found.disputeRef,
    reported: "disputed",
    amount: found.amountMinor,
    requestId: by.requestId,
  });

const notKnownYetRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "This dispute can't be recorded yet. Try again later.",
    headers: { "retry-after": "60" },
  });

/** Looks up open disputes each day, because their webhooks may be lost. @returns how many were due, at most `limit`. */
export const reconcileDueDisputes = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const now = deps.clock.now();
  const nextLookupAt = addSeconds(now, disputeLookupSeconds);
  const due = await claimDueDisputes(deps.db.sql, { now, limit, nextLookupAt });
  for (const { id, chargeId, disputeRef } of due) {
    try {
      const charge = await findCharge(deps.db.sql, chargeId);
      if (!charge) continue;
      const dispute = { processor: charge.processor, account: charge.processorAccount, disputeRef };
      await lookUpDispute(deps, dispute, { kind: "reconciler", requestId: "reconcile" });
    } catch (error) {
      deps.log.warn({ disputeId: id, err: error }, "a dispute could not be looked up; it is retried in a day");
    }
  }
  return due.length;
};
