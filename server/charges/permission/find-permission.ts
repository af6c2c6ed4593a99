import type { NamedMandate } from "../../contract/callers.ts";
import type { CredentialReasonCode, MandateTokenUse, Presented } from "../../credentials/presented.ts";
import { verifyMandateToken } from "../../credentials/verify-mandate-token.ts";
import { verifyPresentation } from "../../credentials/verify-presentation.ts";
import { type Decision, findDecision, findPresentedDecision } from "../../data/mandates/mandate-decision.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import type { Reason } from "../../mandates/use/decide-use.ts";
import type { Credentials } from "../charge/charge.wire.ts";

/**
 * The answer is the same for an unknown id and for a merchant that `payees` doesn't name. An id isn't secret, so the
 * answer must reveal nothing about it.
 */
export const permissionNotFound = (): DomainError =>
  new DomainError("not_found", { code: "mandate_not_found", message: "This merchant has no mandate with this ID." });

/** One reason of a verdict: about the mandate, or about the presented credential. */
export type UseReason = Reason | { code: CredentialReasonCode; constraint: string; remedy: null };

/**
 * Whether the reasons reveal the mandate's limits: a remedy shows the remaining amount, and therefore the used amount.
 */
export const revealLimits = (reasons: readonly UseReason[]): boolean => reasons.some(({ remedy }) => remedy !== null);

/** The presentation or proof that is used for a charge. At most one charge is made with it. */
type PresentedUse = { useHash: string; usableUntil: Date; token: MandateTokenUse | null };

export type Permission =
  | { kind: "refused"; reasons: readonly UseReason[]; mandateId: string | null }
  | { kind: "granted"; mandate: Decision; use: PresentedUse | null };

type PermissionQuery = {
  credentials: Credentials;
  merchantId: string;
  /** of the merchant's own request */
  path: string;
  nonce: string | null;
  payment: { amountMinor: bigint; currency: string; transactionId: string | null };
  at: BusinessTime;
  /** the decision for this merchant at `at`, if it was read together with the access token */
  named: NamedMandate | null;
};

/**
 * A merchant may use a mandate if `payees` names the merchant, or if the mandate's holder gave the merchant a
 * credential (docs/spec/payments.md, Who may use a mandate).
 * @returns null if the caller must get the same answer as for an unknown mandate.
 */
export const findPermission = async (deps: Deps, query: PermissionQuery): Promise<Permission | null> => {
  const { credentials, merchantId, at } = query;
  if (credentials.mandate_id !== undefined) {
    const { mandate_id: mandateId } = credentials;
    const { named } = query;
    const isFound = named !== null && named.mandateId === mandateId && named.at === at;
    const mandate = isFound ? named.decision : await findDecision(deps.db.sql, { mandateId, merchantId, at });
    return mandate && { kind: "granted", mandate, use: null };
  }
  const presented = await verifyPresented(deps, query);
  if (presented.refusal) return refusedPermission(presented.refusal, presented.mandateId);
  const { mandateId, useHash, version, kid, holderJkt } = presented;
  const found = await findPresentedDecision(deps.db.sql, { mandateId, merchantId, at, useHash, kid, holderJkt });
  if (!found) return null;
  const { decision: mandate, isUsed, isKeyActive, isHolderBlocked } = found;
  const constraint = credentials.presentation === undefined ? "mandate_token" : "presentation";
  // The issuer's signing key was revoked after this process last updated its list of keys from the database.
  if (!isKeyActive) return refusedPermission({ code: "invalid_signature", constraint: "credential" }, null);
  // The holder's key is on the blocklist, so its signature proves nothing.
  if (isHolderBlocked) {
    const proof = credentials.presentation === undefined ? "mandate_token_proof" : "presentation.key_binding";
    return refusedPermission({ code: "invalid_signature", constraint: proof }, mandateId);
  }
  if (isUsed) return refusedPermission({ code: "replayed", constraint }, mandateId);
  if (version !== null && version !== mandate.version) {
    return refusedPermission({ code: "credential_superseded", constraint: `${constraint}.version` }, mandateId);
  }
  // A token of an ended mandate is also invalid. The response names the end of the mandate as the reason instead.
  if (presented.token?.isLive === false && mandate.state === "active") {
    return refusedPermission({ code: "credential_expired", constraint }, mandateId);
  }
  return { kind: "granted", mandate, use: presented };
};

const verifyPresented = (deps: Deps, query: PermissionQuery): Promise<Presented> => {
  const { credentials, merchantId, path, nonce, payment } = query;
  const { presentation, mandate_token: token, mandate_token_proof: proof } = credentials;
  return presentation === undefined
    ? verifyMandateToken(deps, { token: token ?? "", proof: proof ?? null, merchantId, path })
    : verifyPresentation(deps, { presentation, merchantId, nonce, payment });
};

const refusedPermission = (
  reason: { code: CredentialReasonCode; constraint: string },
  mandateId: string | null,
): Permission => ({
  kind: "refused",
  reasons: [{ ...reason, remedy: null }],
  mandateId,
});
