import type { Actor } from "../../data/audit/audit.ts";
import type { Sql, Tx } from "../../data/client.ts";
import { type DueMandate, findLiveMandatesOfGrant, findOtherLiveMandates } from "../../data/mandates/mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { mailMandateChange } from "../notices/mail-mandate-change.ts";
import type { MandateState } from "../rules/transitions.ts";
import { expireMandate } from "./expire-due-mandates.ts";
import { inTransaction, type MandateAct, mandateNotFound, transitionMandate } from "./transition-mandate.ts";

/** Ends a mandate permanently: charges that were not submitted are voided, submitted ones settle. */
export const revokeMandate = (deps: Deps, act: MandateAct): Promise<MandateState> =>
  inTransaction(deps, act.tx, async (sql) => {
    const { state, at } = await transitionMandate(deps, sql, { ...act, event: "revoke" });
    const { mandateId, actor: by, requestId } = act;
    await mailMandateChange(deps, sql, { mandateIds: [mandateId], change: "revoked", by, at, requestId });
    return state;
  });

/**
 * Revokes every live mandate of a grant except `except` (grant DELETE, refresh token revocation, a replaced grant).
 * Mandates in a final state don't change. A mandate whose validity has ended expires instead. The caller informs the
 * payer.
 * @returns the ids of the mandates that were revoked.
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
): Promise<string[]> =>
  inTransaction(deps, input.tx, async (sql) => {
    const live = await findLiveMandatesOfGrant(sql, input.grantId);
    const ending = live.filter(({ id }) => !input.except?.includes(id));
    return revokeEach(deps, sql, { ...input, mandates: ending });
  });

/**
 * Revokes all live mandates that the payer has with the client of the given mandate, in one transaction. A repeated
 * call revokes none.
 * @returns how many were revoked. @throws DomainError not_found, also for another payer's mandate.
 */
export const revokeMandatesOfClient = (
  deps: Deps,
  { mandateId, payerId, requestId }: { mandateId: string; payerId: string; requestId: string },
): Promise<number> =>
  deps.db.sqlTransaction(async (sql) => {
    const mandates = await findOtherLiveMandates(sql, { mandateId, payerId });
    if (!mandates) throw mandateNotFound();
    const by = { kind: "payer", id: payerId } as const;
    const mandateIds = await revokeEach(deps, sql, { mandates, actor: by, requestId });
    const at = await deps.businessClock.now();
    await mailMandateChange(deps, sql, { mandateIds, change: "revoked", by, at, requestId });
    return mandateIds.length;
  });

type EachAct = Omit<MandateAct, "mandateId" | "tx"> & { mandates: readonly DueMandate[] };

/** @returns the ids of the revoked mandates. */
const revokeEach = async (deps: Deps, sql: Sql, { mandates, ...act }: EachAct): Promise<string[]> => {
  const revoked: string[] = [];
  for (const mandate of mandates) {
    const refused = await conflictOf(transitionMandate(deps, sql, { ...act, mandateId: mandate.id, event: "revoke" }));
    if (refused === null) revoked.push(mandate.id);
    // Nothing was written. If the mandate has expired, its end is recorded now. Any other mandate ended after it was
    // listed.
    if (refused === "mandate_expired")
      await conflictOf(expireMandate(deps, sql, { due: mandate, requestId: act.requestId }));
  }
  return revoked;
};

/** @returns the code if the transition was refused, otherwise null. */
const conflictOf = async (transition: Promise<unknown>): Promise<string | null> => {
  try {
    await transition;
    return null;
  } catch (error) {
    if (isDomainError(error) && error.kind === "conflict") return error.code;
    throw error;
  }
};
