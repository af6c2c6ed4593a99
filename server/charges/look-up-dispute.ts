import { type ChargeRow, findCharge } from "../data/charges.ts";
import { claimDueDisputes } from "../data/disputes.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FoundDispute } from "../processors/port.ts";
import { raiseContradiction } from "./raise-contradiction.ts";
import { type DisputedBy, disputeLookupSeconds, settleDispute } from "./settle-dispute.ts";
import { settleFound } from "./settle-found.ts";
import { lookupOf } from "./submit-charge.ts";
import { isUnpaid } from "./take-over-payment.ts";

type Asked = { processor: string; account: string; disputeRef: string };

/**
 * Asks the processor how a dispute stands, and takes that over.
 * @throws DomainError unavailable while that can't be: whoever told of it has to tell again.
 */
export const lookUpDispute = async (deps: Deps, { processor, ...asked }: Asked, by: DisputedBy): Promise<void> => {
  const found = await deps.processors.get(processor).findDispute(asked);
  if (found.kind === "not_found") return;
  if (found.kind === "unknown") throw notKnownYet();
  const charge = await findCharge(deps.db.sql, found.chargeId);
  if (charge?.processor !== processor || charge.processorAccount !== asked.account) return;
  const paid = await asPaid(deps, charge, by);
  if (isUnpaid(paid)) return raise(deps, paid, found, by);
  if (paid.amountCaptured === 0n) throw notKnownYet();
  await settleDispute(deps, found, by);
};

/** What is disputed was paid, also where nobody has told us yet. */
const asPaid = async (deps: Deps, charge: ChargeRow, by: DisputedBy): Promise<ChargeRow> => {
  if (charge.amountCaptured > 0n || !charge.submittedAt) return charge;
  return settleFound(deps, charge, await deps.processors.get(charge.processor).lookup(lookupOf(charge)), by);
};

/** It ended without money here, so there is nothing that a dispute could be booked on. */
const raise = (deps: Deps, charge: ChargeRow, found: FoundDispute, { requestId }: DisputedBy): Promise<void> =>
  raiseContradiction(deps, charge, {
    ...{ about: "payment", processorRef: found.disputeRef, told: "disputed", amount: found.amountMinor, requestId },
  });

const notKnownYet = (): DomainError =>
  new DomainError(
    "unavailable",
    "processor_unavailable",
    "The processor can't tell how this stands. Try again later.",
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
      deps.log.warn({ disputeId: id, err: error }, "a dispute could not be looked up; it is asked for again in a day");
    }
  }
  return due.length;
};
