import { type ChargeRow, findCharge, findChargeByProcessorRef } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import type { MarkedFor } from "../../deps/processor-port.ts";
import { isUnpaid } from "../rules/charge-states.ts";

type Payment = { processor: string; account: string; reference: string; chargeId: MarkedFor };

/**
 * The charge of a payment that a processor reports. It is found by the payment's own id, because no one can change this
 * id. Our metadata is used only if it names a charge of the same account, and if the payment of this charge isn't known
 * yet or the charge moved no money.
 * @returns null if the payment isn't ours.
 */
export const findChargeOfPayment = async (sql: Sql, payment: Payment): Promise<ChargeRow | null> => {
  const { processor, account, reference, chargeId } = payment;
  const marked = chargeId === null ? null : await findCharge(sql, chargeId);
  const isOfAccount = marked?.processor === processor && marked.processorAccount === account;
  if (isOfAccount && marked.processorRef === reference) return marked;
  const own = await findChargeByProcessorRef(sql, { processor, account, reference });
  if (own) return own;
  return isOfAccount && (marked.processorRef === null || isUnpaid(marked)) ? marked : null;
};
