import type { Deps } from "../../deps/deps.ts";
import type { MandateState } from "../rules/transitions.ts";
import { inTransaction, type MandateAct, transitionMandate } from "./transition-mandate.ts";

/** Pauses a mandate: no charges, and a suspended credential, until the same kind of actor resumes it. */
export const suspendMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, (sql) => transitionMandate(deps, sql, { ...act, event: "suspend" }));
