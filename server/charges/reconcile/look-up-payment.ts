import { type ChargeRow, findChargeByProcessorRef } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LookupOutcome } from "../../deps/processor-port.ts";
import { processorKey } from "../charge/submit-charge.ts";
import { raiseContradiction } from "../review/raise-contradiction.ts";

/**
 * Asks the processor for the state of a charge's payment. A payment with another amount or currency than requested is
 * raised to operators, and settles nothing.
 * @param reference the payment's own id, if it isn't stored in the charge's row yet
 */
export const lookUpPayment = async (
  deps: Deps,
  charge: ChargeRow,
  { requestId, reference = charge.processorRef }: { requestId: string; reference?: string | null },
): Promise<LookupOutcome> => {
  const { id: chargeId, processorAccount: account, amount: amountMinor, currency } = charge;
  const lookup = { key: processorKey(chargeId), chargeId, account, reference, amountMinor, currency };
  const processor = deps.processors.get(charge.processor);
  const found = await processor.lookup(lookup);
  // The search uses our metadata, which someone may have copied to another payment.
  const isSearch = reference === null && !processor.capabilities.lookupByKey;
  if (isSearch && (await isOfAnother(deps, charge, found))) return { kind: "not_found" };
  if (found.kind === "mismatch") {
    const { processorRef, amountMinor: other } = found;
    const reported = other === null ? "another_currency" : "another_amount";
    const amount = other ?? charge.amount;
    await raiseContradiction(deps, charge, { about: "payment", processorRef, reported, amount, requestId });
  }
  return found;
};

const isOfAnother = async (deps: Deps, charge: ChargeRow, found: LookupOutcome): Promise<boolean> => {
  if (!("processorRef" in found) || found.processorRef === null) return false;
  const { processor, processorAccount: account } = charge;
  const owner = await findChargeByProcessorRef(deps.db.sql, { processor, account, reference: found.processorRef });
  return owner !== null && owner.id !== charge.id;
};
