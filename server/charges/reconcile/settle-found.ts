import { resumeCharge } from "../../data/charges/charge-acts.ts";
import { type ChargeRow, findCharge } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { declineAdvice } from "../../processors/declines.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import type { SettledBy } from "../charge/settled-by.ts";
import { lookupDelaySeconds } from "../rules/schedule.ts";
import type { ChargeEvent } from "../rules/settlement.ts";

type Also = Parameters<typeof settleCharge>[2]["also"];

/**
 * Settles a charge by the payment's state at the processor. This covers payments, and captures and voids of an
 * authorization, including those that weren't requested by us. An unknown state, an unchanged state and a transition
 * that isn't allowed change nothing.
 * @param also additional work in the transaction that moves the charge out of its state. Only the caller that moves the
 *   charge does this work.
 */
export const settleFound = async (
  deps: Deps,
  charge: ChargeRow,
  { found, by, also }: { found: LookupOutcome; by: SettledBy; also?: Also },
): Promise<ChargeRow> => {
  switch (found.kind) {
    // These answers change nothing here. The reconciler asks again, and only the reconciler decides that nothing was
    // submitted.
    case "mismatch":
    case "not_found":
    case "not_sent":
    case "unknown":
      return charge;
    case "captured": {
      const { processorRef, amountMinor } = found;
      const captured = { kind: "captured", amountMinor } as const;
      if (charge.state === "authorized") return settleCharge(deps, charge, { event: captured, by, also });
      const authorized = await settleCharge(deps, charge, { event: { kind: "authorized", processorRef }, by, also });
      return settleCharge(deps, authorized, { event: captured, by });
    }
    case "processing":
      return settleCharge(deps, await resumed(deps, charge), { event: found, by, also });
    case "voided":
      return settleCharge(deps, charge, { event: givenUp(charge, found.processorRef), by, also });
    default:
      return settleCharge(deps, charge, { event: found, by, also });
  }
};

/**
 * If a charge waited for its payer and its payment is now being processed, the charge counts as submitted
 * (docs/spec/payments.md, Charge states): from now on it is looked up, and the payer's deadline no longer applies.
 */
const resumed = async (deps: Deps, charge: ChargeRow): Promise<ChargeRow> => {
  if (charge.state !== "requires_action") return charge;
  const nextLookupAt = addSeconds(deps.clock.now(), lookupDelaySeconds(0));
  await resumeCharge(deps.db.sql, { chargeId: charge.id, nextLookupAt });
  return (await findCharge(deps.db.sql, charge.id)) ?? charge;
};

/**
 * The event for a payment that ended at the processor without money. If the charge was never recorded as authorized or
 * as waiting for its payer, the event is a decline.
 */
const givenUp = (charge: ChargeRow, processorRef: string): ChargeEvent => {
  if (charge.state === "authorized" || charge.state === "requires_action") {
    return { kind: charge.pendingAct?.kind === "expire" ? "expired" : "voided" };
  }
  return { kind: "declined", processorRef, declineCode: "canceled", ...declineAdvice("canceled") };
};
