import type { Deps } from "../../deps/deps.ts";
import { mailMandateChange } from "../notices/mail-mandate-change.ts";
import type { MandateState } from "../rules/transitions.ts";
import { inTransaction, type MandateAct, transitionMandate } from "./transition-mandate.ts";

/** Prevents charges and suspends the credential until the same kind of actor resumes the mandate. */
export const suspendMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, async (sql) => {
    const { state, at } = await transitionMandate(deps, sql, { ...act, event: "suspend" });
    const { mandateId, actor: by, requestId } = act;
    // Payers get no e-mail about their own pauses.
    if (by.kind !== "payer") {
      await mailMandateChange(deps, sql, { mandateIds: [mandateId], change: "suspended", by, at, requestId });
    }
    return state;
  });
