import type { Deps } from "../../deps/deps.ts";
import { mailMandateChange } from "../notices/mail-mandate-change.ts";
import type { MandateState } from "../rules/transitions.ts";
import { inTransaction, type MandateAct, transitionMandate } from "./transition-mandate.ts";

/** Lifts the suspension by this kind of actor. The mandate is active again when no suspension is left. */
export const resumeMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, async (sql) => {
    const { state, at } = await transitionMandate(deps, sql, { ...act, event: "resume" });
    const { mandateId, actor: by, requestId } = act;
    // No e-mail while the payer's own pause lasts, because nothing changes for the payer.
    if (by.kind !== "payer" && state === "active") {
      await mailMandateChange(deps, sql, { mandateIds: [mandateId], change: "resumed", by, at, requestId });
    }
    return state;
  });
