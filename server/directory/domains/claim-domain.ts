import {
  deleteParticipantDomain,
  findParticipantDomain,
  insertParticipantDomain,
  type ParticipantDomainRow,
} from "../../data/directory/participant-domains.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newSecret } from "../../kernel/ids.ts";
import {
  appendOwnAudit,
  lockOwnParticipant,
  type OwnCaller,
  ownActorOf,
} from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";

export type OwnDomain = OwnCaller & { participantId: string; domain: string; requestId: string };

export const unclaimedDomainRefusal = () =>
  new DomainError("not_found", {
    code: "domain_not_claimed",
    message: "The participant has not claimed this domain. Claim it first.",
  });

export const maxDomains = 20;

/**
 * Claims a domain for a participant. Claiming it again returns the existing claim with the same token.
 * @throws DomainError too_many_domains, and those of `lockOwnParticipant`.
 */
export const claimDomain = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  own: OwnDomain,
): Promise<{ isNew: boolean; claim: ParticipantDomainRow }> =>
  db.sqlTransaction(async (sql) => {
    const { participantId, domain, requestId } = own;
    await lockOwnParticipant(sql, own);
    const known = await findParticipantDomain(sql, { participantId, domain });
    if (known) return { isNew: false, claim: known };
    const at = clock.now();
    const claim = await insertParticipantDomain(sql, {
      participantId,
      domain,
      token: newSecret(),
      at,
      limit: maxDomains,
    });
    if (!claim) {
      throw new DomainError("conflict", {
        code: "too_many_domains",
        message: `An entry has at most ${maxDomains} domains. Remove one first.`,
      });
    }
    await appendOwnAudit(sql, own, {
      at,
      requestId,
      action: "participant.domain_claimed",
      data: { domain },
    });
    return { isNew: true, claim };
  });

/**
 * Removes a domain from a participant, whether verified or not.
 * @throws DomainError domain_not_claimed, and those of `lockOwnParticipant`.
 */
export const giveUpDomain = (
  { db, clock, config: { environment } }: Pick<Deps, "db" | "clock" | "config">,
  own: OwnDomain,
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const { participantId, domain, requestId } = own;
    await lockOwnParticipant(sql, own, { even: ["withdrawn"] });
    const claim = await deleteParticipantDomain(sql, { participantId, domain });
    if (!claim) throw unclaimedDomainRefusal();
    const at = clock.now();
    const changedBy = ownActorOf(own).kind;
    const change = { id: participantId, change: "domain_given_up", changedBy, at, environment } as const;
    if (claim.verifiedAt) await recordVersion(sql, change);
    await appendOwnAudit(sql, own, {
      at,
      requestId,
      action: "participant.domain_given_up",
      data: { domain },
    });
  });
