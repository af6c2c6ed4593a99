import { findManagedGrant } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";

/** A grant's content (Grant Management for OAuth 2.0 §6.4), in wire names. */
export type GrantStatus = {
  scopes: { scope: string; resource: string[] }[];
  authorization_details: AuthorizationDetails[];
  created_at: number;
  last_updated: number;
  updated_by: "client" | "authorization_server";
  expires_at: number;
};

/**
 * @returns null for an unknown grant, another client's grant or an ended grant: the caller can't distinguish them
 * (§6.6).
 */
export const queryGrant = async (
  deps: Pick<Deps, "db" | "businessClock" | "config">,
  input: { grantId: string; clientId: string },
): Promise<GrantStatus | null> => {
  const grant = await findManagedGrant(deps.db.sql, { ...input, at: await deps.businessClock.now() });
  if (!grant) return null;
  return {
    scopes: grant.scopes.length > 0 ? [{ scope: grant.scopes.join(" "), resource: [deps.config.baseUrl] }] : [],
    authorization_details: grant.mandates.map(({ details }) => details),
    created_at: epochSeconds(grant.createdAt),
    last_updated: epochSeconds(grant.changedAt),
    // Changes after the last consent come from the payer, an operator or the service (for example, an expiry).
    updated_by: grant.changedAt > grant.consentedAt ? "authorization_server" : "client",
    expires_at: epochSeconds(grant.expiresAt),
  };
};
