import { appendAudit } from "../../data/audit/audit.ts";
import { findParticipantDomain, markDomainVerified } from "../../data/directory/participant-domains.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { getJson } from "../../platform/outbound/get-json.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { lockOwnParticipant } from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { proofUrl, provesClaim } from "../rules/domain.ts";
import { type OwnDomain, unclaimedDomainRefusal } from "./claim-domain.ts";

/**
 * Checks that the domain's owner publishes the claim's token. A verified domain stays verified.
 * @throws DomainError domain_not_proved, domain_not_claimed, temporarily_unavailable, and those of
 *   `lockOwnParticipant`.
 */
export const verifyDomain = async (deps: Deps, own: OwnDomain): Promise<{ verifiedAt: Date }> => {
  const claim = await deps.db.sqlTransaction((sql) => lockClaim(sql, own));
  if (claim.verifiedAt) return { verifiedAt: claim.verifiedAt };
  const { participantId, clientId, domain, requestId } = own;
  const document = await loadProof(deps, domain);
  if (!provesClaim(document, { participantId, token: claim.token })) {
    throw notProvedRefusal("The document must contain this participant’s id and the token from the claim.");
  }
  return deps.db.sqlTransaction(async (sql) => {
    const held = await lockClaim(sql, own);
    if (held.verifiedAt) return { verifiedAt: held.verifiedAt };
    const at = deps.clock.now();
    if (!(await markDomainVerified(sql, { participantId, domain, token: claim.token, at })))
      throw unclaimedDomainRefusal();
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

const notProvedRefusal = (detail: string, cause?: unknown) =>
  new DomainError("unprocessable", { code: "domain_not_proved", message: detail, cause });

/** Why a request failed, in terms that the participant may see. */
const failures: Readonly<Record<Exclude<OutboundError["problem"], "busy">, string>> = {
  bad_address: "The domain can’t be reached.",
  unreachable: "The domain has no public address that answers.",
  timed_out: "The domain does not answer within 5 seconds.",
  too_large: "The document is larger than 64 KiB.",
  bad_answer: "The document is not returned with status 200 as JSON.",
};

const loadProof = async ({ outbound, log }: Deps, domain: string): Promise<unknown> => {
  try {
    return (await getJson(outbound, proofUrl(domain), { canWait: true })).value;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.info({ host: domain, problem: error.message }, "domain verification");
    if (error.problem !== "busy") throw notProvedRefusal(failures[error.problem], error);
    throw new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "The domain can’t be checked at the moment. Try again later.",
      headers: { "retry-after": "5" },
      cause: error,
    });
  }
};
