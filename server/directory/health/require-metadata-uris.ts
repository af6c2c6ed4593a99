import type { ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { sentenceRefusal } from "../../kernel/errors.ts";
import { isVerifiedHost } from "../rules/verified-host.ts";

/**
 * Refuses new metadata URLs that the participant may not use: their host must be a verified domain or a subdomain of
 * one. A URL that the entry already has is kept, even if its domain is no longer verified.
 * @throws DomainError invalid, naming /metadata_documents.
 */
export const requireMetadataUris = (
  { outbound }: Pick<Deps, "outbound">,
  row: Pick<ParticipantRow, "metadataUris" | "verifiedDomains">,
  uris: readonly string[],
): void => {
  for (const uri of uris.filter((one) => !row.metadataUris.includes(one))) {
    const problem = outbound.urlProblem(uri);
    if (problem !== null) throw sentenceRefusal("/metadata_documents", `The URL ${uri} ${problem}.`);
    if (!isVerifiedHost(row, new URL(uri).hostname)) {
      const detail = `The host of ${uri} must be a verified domain of the entry or a subdomain of one.`;
      throw sentenceRefusal("/metadata_documents", detail);
    }
  }
};
