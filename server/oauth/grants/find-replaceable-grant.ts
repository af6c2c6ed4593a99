import { findManagedGrant, type LiveMandate } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { fromJson } from "../../mandates/details/granted-details.ts";
import type { GrantedMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

export type ReplaceableMandate = Omit<LiveMandate, "details"> & { details: GrantedMandateDetails };
export type ReplaceableGrant = { id: string; payerId: string; mandates: readonly ReplaceableMandate[] };

/** @returns null for an unknown grant, another client's, and one that has ended. */
export const findReplaceableGrant = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { grantId: string; clientId: string },
): Promise<ReplaceableGrant | null> => {
  const grant = await findManagedGrant(deps.db.sql, { ...input, at: await deps.businessClock.now() });
  if (!grant) return null;
  const mandates = grant.mandates.map((mandate) => ({ ...mandate, details: fromJson(mandate.details) }));
  return { id: grant.id, payerId: grant.payerId, mandates };
};
