import type { Actor } from "../data/audit.ts";
import type { Tx } from "../data/client.ts";
import { findLiveMandatesOfGrant } from "../data/mandates.ts";
import type { Deps } from "../deps.ts";
import { isDomainError } from "../kernel/errors.ts";
import { expireMandate } from "./expire-due-mandates.ts";
import type { MandateState } from "./rules/transitions.ts";
import { inTransaction, type MandateAct, transitionMandate } from "./transition-mandate.ts";

/** Ends a mandate for good: what was not yet submitted is voided with it, what was submitted settles. */
export const revokeMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, (sql) => transitionMandate(deps, sql, { ...act, event: "revoke" }));

/**
 * Every live mandate of a grant but those of `except` (grant DELETE, refresh token revocation, a replaced grant); final ones
 * are left as they are, and one whose window has closed expires.
 */
export const revokeGrantMandates = (
  deps: Deps,
  input: {
    grantId: string;
    actor: Actor;
    requestId: string;
    reason?: string;
    tx?: Pick<Tx, "sql">;
    except?: readonly string[];
  },
): Promise<void> =>
  inTransaction(deps, input.tx, async (sql) => {
    const live = await findLiveMandatesOfGrant(sql, input.grantId);
    for (const mandate of live.filter(({ id }) => !input.except?.includes(id))) {
      const refused = await conflictOf(
        transitionMandate(deps, sql, { ...input, mandateId: mandate.id, event: "revoke" }),
      );
      // Ended by the clock, which has to be written down unless it is; else consumed since it was listed. Nothing was written.
      if (refused === "mandate_expired") await conflictOf(expireMandate(deps, sql, mandate, input.requestId));
    }
  });

/** @returns the code of a refused transition, null where it was made. */
const conflictOf = async (transition: Promise<unknown>): Promise<string | null> => {
  try {
    await transition;
    return null;
  } catch (error) {
    if (isDomainError(error) && error.kind === "conflict") return error.code;
    throw error;
  }
};
