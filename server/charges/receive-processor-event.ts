import { findCharge } from "../data/charges.ts";
import type { Deps } from "../deps.ts";
import type { ProcessorEvent } from "../processors/port.ts";
import { settleCharge } from "./settle-charge.ts";
import { lookupOf } from "./submit-charge.ts";

/** Sent, and not settled: what a processor may still bring news of. */
const open: ReadonlySet<string> = new Set(["submitted", "processing", "requires_action", "unknown"]);

/**
 * A processor says that a payment changed. Its word is only the occasion: the processor is asked how the payment stands,
 * so that events may come twice, late, in any order or before the answer to the call, and settle the same.
 */
export const receiveProcessorEvent = async (
  deps: Deps,
  input: { processor: string; event: ProcessorEvent; requestId: string },
): Promise<void> => {
  const { event } = input;
  const charge = await findCharge(deps.db.sql, event.chargeId);
  if (charge?.processor !== input.processor || charge.processorAccount !== event.account) return;
  if (!charge.submittedAt || !open.has(charge.state)) return;
  const lookup = { ...lookupOf(charge), reference: charge.processorRef ?? event.reference };
  const outcome = await deps.processors.get(input.processor).lookup(lookup);
  // Who can't tell now is asked again by the reconciler, which alone decides that nothing was submitted.
  if (outcome.kind === "not_found" || outcome.kind === "not_sent" || outcome.kind === "unknown") return;
  if (outcome.kind === charge.state) return;
  await settleCharge(deps, charge, outcome, { kind: "processor", requestId: input.requestId });
};
