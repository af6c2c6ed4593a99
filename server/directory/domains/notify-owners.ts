import type { Sql } from "../../data/client.ts";
import type { DomainCheckRow } from "../../data/directory/domain-checks.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { ownersPage } from "../participants/notify-entry-owners.ts";
import { proofRecordName, proofUrl } from "../rules/domain.ts";
import { earliestDemotion } from "../rules/domain-checks.ts";
import { findOwnerAddresses } from "./find-owner-addresses.ts";

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
export const notifyOwners = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { kind, check, at, requestId }: Notice,
): Promise<void> => {
  const { participantId, domain, provedAt } = check;
  const row = await findParticipant(sql, participantId);
  if (!row || row.status === "withdrawn") return;
  // A contact at the checked domain is informed too, because the domain was verified until now.
  const recipients = await findOwnerAddresses(sql, row, [domain]);
  const proof = { domain, participantName: row.displayName, url: proofUrl(domain), record: proofRecordName(domain) };
  const entryUrl = ownersPage(deps.config, row);
  const content = (timeZone: string) => {
    const about = { ...proof, provedAt, entryUrl, timeZone };
    return kind === "domain_check_failed"
      ? { kind, ...about, unverifiedFrom: earliestDemotion(provedAt) }
      : { kind, ...about, at };
  };
  await queueMailToEach(deps, sql, { recipients, content, requestId });
};
