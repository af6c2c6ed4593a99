import { findGrantOfClient, type LiveMandate } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { fromJson } from "../../mandates/details/granted-details.ts";
import type { GrantedMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";

type ReplacedMandate = Omit<LiveMandate, "details"> & { details: GrantedMandateDetails };
export type ReplacedGrant = {
  id: string;
  payerId: string;
  /** also true if its last mandate has ended */
  hasEnded: boolean;
  /** active and suspended mandates */
  mandates: readonly ReplacedMandate[];
};

/**
 * The grant that an authorization request replaces (Grant Management §5.2).
 * @returns null for an unknown grant and for another client's.
 */
export const findReplacedGrant = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { grantId: string; clientId: string },
): Promise<ReplacedGrant | null> => {
  const grant = await findGrantOfClient(deps.db.sql, { ...input, at: await deps.businessClock.now() });
  if (!grant) return null;
  const mandates = grant.mandates.map((mandate) => ({ ...mandate, details: fromJson(mandate.details) }));
  return { id: grant.id, payerId: grant.payerId, hasEnded: grant.endedAt !== null || mandates.length === 0, mandates };
};
