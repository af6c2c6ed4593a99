import {
  findMandateActs,
  findMandateHolder,
  type MandateAction,
  type MandateHolder,
} from "../data/mandates/mandate-search.ts";
import type { Deps } from "../deps/deps.ts";
import { findMandateView, type MandateView } from "./find-mandates.ts";
import { mandateNotFound } from "./lifecycle/transition-mandate.ts";

export type MandateForOperator = {
  mandate: MandateView;
  payer: MandateHolder;
  /** newest first, from the audit log */
  history: MandateAction[];
};

/** Maximum number of entries; the audit log has all. */
const longest = 100;

/** Any payer's mandate with its history. @throws DomainError not_found. */
export const getMandateForOperator = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { mandateId }: { mandateId: string },
): Promise<MandateForOperator> => {
  const payer = await findMandateHolder(deps.db.sql, mandateId);
  const mandate = payer && (await findMandateView(deps, { payerId: payer.id, mandateId }));
  if (!mandate) throw mandateNotFound();
  return { mandate, payer, history: await findMandateActs(deps.db.sql, mandate, longest) };
};
