import { appendAudit } from "../../data/audit/audit.ts";
import { findParticipantDomain, markDomainVerified } from "../../data/directory/participant-domains.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { lockOwnParticipant } from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { nextCheckAt } from "../rules/domain-checks.ts";
import { type OwnDomain, unclaimedDomainRefusal } from "./claim-domain.ts";
import { findProof } from "./find-proof.ts";

/**
 * Checks that the domain's owner publishes the claim's token. A verified domain is checked again by `recheckDomains` only.
 * @throws DomainError domain_not_proved, domain_not_claimed, temporarily_unavailable, and those of
 *   `lockOwnParticipant`.
 */
export const verifyDomain = async (deps: Deps, own: OwnDomain): Promise<{ verifiedAt: Date }> => {
  const claim = await deps.db.sqlTransaction((sql) => lockClaim(sql, own));
  if (claim.verifiedAt) return { verifiedAt: claim.verifiedAt };
  const { participantId, clientId, domain, requestId } = own;
  await requireProof(deps, { participantId, domain, token: claim.token });
  return deps.db.sqlTransaction(async (sql) => {
    const held = await lockClaim(sql, own);
    if (held.verifiedAt) return { verifiedAt: held.verifiedAt };
    const at = deps.clock.now();
    const verified = { participantId, domain, token: claim.token, at, checkDueAt: nextCheckAt(at, Math.random()) };
    if (!(await markDomainVerified(sql, verified))) throw unclaimedDomainRefusal();
    const { environment } = deps.config;
    await recordVersion(sql, { id: participantId, change: "domain_verified", changedBy: "client", at, environment });
    await appendAudit(sql, {
      at,
      actor: { kind: "client", id: clientId },
      requestId,
      action: "participant.domain_verified",
      subjectId: participantId,
      data: { domain },
    });
    return { verifiedAt: at };
  });
};

const lockClaim = async (sql: Parameters<typeof findParticipantDomain>[0], own: OwnDomain) => {
  await lockOwnParticipant(sql, own);
  const claim = await findParticipantDomain(sql, own);
  if (!claim) throw unclaimedDomainRefusal();
  return claim;
};

const requireProof = async (deps: Deps, claim: Parameters<typeof findProof>[1]): Promise<void> => {
  const proof = await findProof(deps, claim);
  if (proof.is === "missing")
    throw new DomainError("unprocessable", { code: "domain_not_proved", message: proof.problem });
  if (proof.is === "busy") {
    throw new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "The domain can’t be checked at the moment. Try again later.",
      headers: { "retry-after": "5" },
    });
  }
};
