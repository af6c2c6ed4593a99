import type { Deps } from "../../deps/deps.ts";
import type { ProcessorEvent } from "../../deps/processor-port.ts";
import { receiveAccountEvent } from "../../merchants/processor/receive-account-event.ts";
import { lookUpDispute } from "../disputes/look-up-dispute.ts";
import { takeOverRefunds } from "../refunds/take-over-refunds.ts";
import { findChargeOfPayment } from "./find-charge-of-payment.ts";
import { takeOverPayment } from "./take-over-payment.ts";

/**
 * A processor reports that a payment, a refund, a dispute or a merchant's account changed. The event is only a signal
 * to ask the processor for the current state. The result is therefore the same if an event is duplicated, late or
 * reordered, or arrives before the response to the call.
 */
export const receiveProcessorEvent = async (
  deps: Deps,
  input: { processor: string; event: ProcessorEvent; requestId: string },
): Promise<void> => {
  const { event } = input;
  if (event.about === "account") {
    return receiveAccountEvent(deps, { ...input, account: event.account });
  }
  const by = { kind: "processor", requestId: input.requestId } as const;
  if (event.about === "dispute") {
    const { account, disputeRef } = event;
    return lookUpDispute(deps, { processor: input.processor, account, disputeRef }, by);
  }
  if (event.about === "refund") return takeOverRefunds(deps, { ...event, processor: input.processor }, by);
  const charge = await findChargeOfPayment(deps.db.sql, { ...event, processor: input.processor });
  if (charge?.submittedAt) await takeOverPayment(deps, charge, { reference: event.reference, by });
};
