import type { Sql } from "../../data/client.ts";
import type { DomainCheckRow } from "../../data/directory/domain-checks.ts";
import type { Deps } from "../../deps/deps.ts";
import { notifyEntryOwners } from "../participants/notify-entry-owners.ts";
import { proofRecordName, proofUrl } from "../rules/domain.ts";
import { earliestDemotion } from "../rules/domain-checks.ts";

type Notice = {
  kind: "domain_check_failed" | "domain_unverified";
  check: Pick<DomainCheckRow, "participantId" | "domain" | "provedAt">;
  at: Date;
  requestId: string;
};

/**
 * Informs the merchant's owners and admins, or the verified contacts of a participant without a merchant, in the
 * transaction of the check. A withdrawn participant is not informed.
 */
export const notifyOwners = (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { kind, check: { participantId, domain, provedAt }, at, requestId }: Notice,
): Promise<void> => {
  const proof = { domain, url: proofUrl(domain), record: proofRecordName(domain), provedAt };
  const change =
    kind === "domain_check_failed"
      ? { kind, ...proof, unverifiedFrom: earliestDemotion(provedAt) }
      : { kind, ...proof };
  // A contact at the checked domain is informed too, because the domain was verified until now.
  return notifyEntryOwners(deps, sql, { participantId, change, at, requestId, alsoVerified: [domain] });
};
