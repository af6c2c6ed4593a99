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

type Asked = { processor: string; account: string; disputeRef: string };

/**
 * Asks the processor how a dispute stands, and takes that over.
 * @throws DomainError unavailable while that can't be: whoever told of it has to tell again.
 */
export const lookUpDispute = async (deps: Deps, { processor, ...asked }: Asked, by: DisputedBy): Promise<void> => {
  const found = await deps.processors.get(processor).findDispute(asked);
  if (found.kind === "not_found") return;
  if (found.kind === "unknown") throw notKnownYet();
  const charge = await findChargeOfPayment(deps.db.sql, { ...found, processor, account: asked.account });
  if (!charge) return;
  const paid = await asPaid(deps, charge, { reference: found.reference, by });
  if (paid === null || isUnpaid(paid)) return raise(deps, charge, found, by);
  if (paid.amountCaptured === 0n) throw notKnownYet();
  if (paid.processorRef !== found.reference) return;
  await settleDispute(deps, { ...found, chargeId: paid.id }, by);
};

/** What is disputed was paid, also where nobody has told us yet. @returns null where another amount or currency was. */
const asPaid = async (
  deps: Deps,
  charge: ChargeRow,
  { reference, by }: { reference: string; by: DisputedBy },
): Promise<ChargeRow | null> => {
  if (charge.amountCaptured > 0n || !charge.submittedAt) return charge;
  const found = await lookUpPayment(deps, charge, { requestId: by.requestId, reference });
  return found.kind === "mismatch" ? null : settleFound(deps, charge, { found, by });
};

/** Without its money here there is nothing that a dispute could be booked on. */
const raise = (deps: Deps, charge: ChargeRow, found: FoundDispute, { requestId }: DisputedBy): Promise<void> =>
  raiseContradiction(deps, charge, {
    about: "payment",
    processorRef: found.disputeRef,
    told: "disputed",
    amount: found.amountMinor,
    requestId,
  });

const notKnownYet = (): DomainError =>
  new DomainError(
    "unavailable",
    "processor_unavailable",
    "The processor can't return this dispute now. Try again later.",
    {
      headers: { "retry-after": "60" },
    },
  );

/** Open disputes whose webhooks may be lost are asked for each day. @returns how many were looked at. */
export const reconcileDueDisputes = async (deps: Deps, { limit }: { limit: number }): Promise<number> => {
  const now = deps.clock.now();
  const nextLookupAt = addSeconds(now, disputeLookupSeconds);
  const due = await claimDueDisputes(deps.db.sql, { now, limit, nextLookupAt });
  for (const { id, chargeId, disputeRef } of due) {
    try {
      const charge = await findCharge(deps.db.sql, chargeId);
      if (!charge) continue;
      const asked = { processor: charge.processor, account: charge.processorAccount, disputeRef };
      await lookUpDispute(deps, asked, { kind: "reconciler", requestId: "reconcile" });
    } catch (error) {
      deps.log.warn({ disputeId: id, err: error }, "a dispute could not be looked up; it is retried in a day");
    }
  }
  return due.length;
};
