import { findCharge } from "../data/charges.ts";
import type { Deps } from "../deps.ts";
import type { ProcessorEvent } from "../processors/port.ts";
import { lookUpDispute } from "./look-up-dispute.ts";
import { lookUpPendingRefunds } from "./perform-refund.ts";
import { settleFound } from "./settle-found.ts";
import { lookupOf } from "./submit-charge.ts";

/** Sent, and not at its end: what a processor may still bring news of. */
const open: ReadonlySet<string> = new Set(["submitted", "processing", "requires_action", "unknown", "authorized"]);

/**
 * A processor says that a payment, a refund or a dispute changed. Its word is only the occasion: the processor is asked how that
 * stands, so that events may come twice, late, in any order or before the answer to the call, and settle the same.
 */
export const receiveProcessorEvent = async (
  deps: Deps,
  input: { processor: string; event: ProcessorEvent; requestId: string },
): Promise<void> => {
  const { event } = input;
  const by = { kind: "processor", requestId: input.requestId } as const;
  if (event.about === "dispute") {
    const { account, disputeRef } = event;
    return lookUpDispute(deps, { processor: input.processor, account, disputeRef }, by);
  }
  const charge = await findCharge(deps.db.sql, event.chargeId);
  if (charge?.processor !== input.processor || charge.processorAccount !== event.account) return;
  if (!charge.submittedAt) return;
  if (event.about === "refund") return lookUpPendingRefunds(deps, charge, by);
  if (!open.has(charge.state)) return;
  const lookup = { ...lookupOf(charge), reference: charge.processorRef ?? event.reference };
  await settleFound(deps, charge, await deps.processors.get(input.processor).lookup(lookup), by);
};
