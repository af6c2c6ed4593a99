import type { ParticipantDomainRow } from "../../../data/directory/participant-domains.ts";
import type { MerchantEntry } from "../../../directory/merchant-entries/find-merchant-entry.ts";
import { proofRecordName, proofUrl } from "../../../directory/rules/domain.ts";

type DomainState = "verified" | "failing" | "demoted" | "unverified";

const stateOf = ({ verifiedAt, failedChecks, unverifiedAt }: ParticipantDomainRow): DomainState => {
  if (verifiedAt !== null) return failedChecks > 0 ? "failing" : "verified";
  return unverifiedAt === null ? "unverified" : "demoted";
};

const toDomain = (row: ParticipantDomainRow, participantId: string) => ({
  domain: row.domain,
  state: stateOf(row),
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  unverifiedAt: row.unverifiedAt?.toISOString() ?? null,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  /** null for a domain that isn't verified */
  nextCheckAt: row.verifiedAt === null ? null : (row.checkDueAt?.toISOString() ?? null),
  proof: {
    url: proofUrl(row.domain),
    document: JSON.stringify({ [participantId]: row.token }, null, 2),
    recordName: proofRecordName(row.domain),
    recordValue: row.token,
  },
});

/** Plain JSON for the page. */
export const toMerchantEntry = ({ participant, isSuspended, etag, domains }: MerchantEntry) => ({
  id: participant.id,
  status: participant.status,
  /** true: the entry can't be changed, and a withdrawn entry can't be listed again */
  isSuspended,
  roles: participant.roles,
  displayName: participant.display_name,
  legalName: participant.legal_name,
  websiteUri: participant.website_uri,
  logoUri: participant.logo_uri,
  contacts: participant.contacts,
  metadataUris: participant.metadata_documents,
  maxChargeAmounts: participant.capabilities.limits.max_charge_amounts,
  etag,
  domains: domains.map((row) => toDomain(row, participant.id)),
});

export type MerchantEntryView = ReturnType<typeof toMerchantEntry>;
export type MerchantDomainView = MerchantEntryView["domains"][number];
