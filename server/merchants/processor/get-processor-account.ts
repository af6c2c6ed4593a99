import { findAccountOfMerchant } from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantNotFound } from "../merchant-not-found.ts";
import { type ProcessorState, processorState } from "../rules/processor-state.ts";
import { isConnectable } from "./connectable.ts";

export type ProcessorAccount = {
  processor: string;
  account: string;
  /** whether the merchant connects the account itself */
  isConnectable: boolean;
  state: ProcessorState;
  payoutsEnabled: boolean;
  /** names of the details that the processor needs */
  due: readonly string[];
  pastDue: readonly string[];
  pending: readonly string[];
  dueBy: Date | null;
  disabledReason: string | null;
  /** null: the processor hasn't reported on it */
  checkedAt: Date | null;
};

/** A merchant's account as last reported by its processor. @throws DomainError not_found. */
export const getProcessorAccount = async (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<ProcessorAccount> => {
  const known = await findAccountOfMerchant(db.sql, merchantId);
  if (!known) throw merchantNotFound();
  const { processor, account, payoutsEnabled, due, pastDue, pending, dueBy, disabledReason, checkedAt } = known;
  return {
    processor,
    account,
    isConnectable: isConnectable(known),
    state: processorState(known),
    payoutsEnabled,
    due,
    pastDue,
    pending,
    dueBy,
    disabledReason,
    checkedAt,
  };
};
