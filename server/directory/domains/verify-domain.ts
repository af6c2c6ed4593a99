import {
  findParticipantDomain,
  markDomainProvedAgain,
  markDomainVerified,
  recordUnprovedCheck,
} from "../../data/directory/participant-domains.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { appendOwnAudit, lockOwnParticipant, ownActorOf } from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { nextCheckAt } from "../rules/domain-checks.ts";
import { type OwnDomain, unclaimedDomainRefusal } from "./claim-domain.ts";
import { findProof } from "./find-proof.ts";

/**
 * Checks that the domain's owner publishes the claim's token. `recheckDomains` checks verified domains daily. So this
 * function checks a verified domain only if the last check failed. If the token is found, the failures are cleared. If
 * the token isn't found, the domain is still verified.
 * @throws DomainError domain_not_proved, domain_not_claimed, temporarily_unavailable, and those of
 * `lockOwnParticipant`.
 */
export const verifyDomain = async (deps: Deps, own: OwnDomain): Promise<{ verifiedAt: Date }> => {
  const claim = await deps.db.sqlTransaction((sql) => lockClaim(sql, own));
  if (claim.verifiedAt && claim.failedChecks === 0) return { verifiedAt: claim.verifiedAt };
  const { participantId, domain, requestId } = own;
  await requireProof(deps, { participantId, domain, token: claim.token });
  return deps.db.sqlTransaction(async (sql) => {
    const held = await lockClaim(sql, own);
    const at = deps.clock.now();
    const proof = { participantId, domain, token: claim.token, at, checkDueAt: nextCheckAt(at, Math.random()) };
    const entry = { at, requestId, data: { domain } };
    if (held.verifiedAt) {
      const isRecorded = await markDomainProvedAgain(sql, proof);
      if (isRecorded) await appendOwnAudit(sql, own, { ...entry, action: "participant.domain_check_passed" });
      return { verifiedAt: held.verifiedAt };
    }
    if (!(await markDomainVerified(sql, proof))) throw unclaimedDomainRefusal();
    const { environment } = deps.config;
    const changedBy = ownActorOf(own).kind;
    await recordVersion(sql, { id: participantId, change: "domain_verified", changedBy, at, environment });
    await appendOwnAudit(sql, own, { ...entry, action: "participant.domain_verified" });
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
  if (proof.is === "missing" || proof.is === "unconfirmed") {
    await recordUnprovedCheck(deps.db.sql, { ...claim, at: deps.clock.now() });
    throw new DomainError("unprocessable", { code: "domain_not_proved", message: proof.problem });
  }
  if (proof.is === "busy") {
    throw new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "The domain can’t be checked at the moment. Try again later.",
      headers: { "retry-after": "5" },
    });
  }
};
