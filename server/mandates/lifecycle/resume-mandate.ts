import type { Deps } from "../../deps/deps.ts";
import type { MandateState } from "../rules/transitions.ts";
import { inTransaction, type MandateAct, transitionMandate } from "./transition-mandate.ts";

/** Lifts the suspension by this kind of actor. The mandate is active again when no suspension is left. */
export const resumeMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, (sql) => transitionMandate(deps, sql, { ...act, event: "resume" }));
