import type { Actor } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";
import { replaceMetadataUris } from "../../data/directory/participant-metadata.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import { findPublishedSigningKeys } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { recordVersion } from "../../directory/participants/record-version.ts";
import { isInSet } from "../../kernel/key-purpose.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { serverEntry } from "../server-entry.ts";

type Work = { tx: Tx; at: Date; actor: Actor };

/**
 * Adds the authorization server's own entry, or a new version of the entry if the server's capabilities have changed
 * with its release or configuration. If several processes start together, only the first adds it.
 */
export const enterServerParticipant = async (deps: Pick<Deps, "config">, work: Work): Promise<void> => {
  await insertParticipant(work.tx.sql, {
    id: serverParticipantId,
    role: "authorization_server",
    merchantId: null,
    legalName: null,
    at: work.at,
    displayName: deps.config.environment === "sandbox" ? "Paygrant sandbox" : "Paygrant",
  });
  await record(deps, work, "metadata_changed");
  const uris = serverEntry(deps).metadataDocuments;
  await replaceMetadataUris(work.tx.sql, serverParticipantId, { uris, at: work.at });
};

/** Records the signing keys in the entry and its history, in the transaction that changed them. */
export const recordServerKeys = async (deps: Pick<Deps, "config">, work: Work): Promise<void> => {
  // A database that isn't completely set up has no entry. `enterServerParticipant` then records the keys.
  if (await findParticipant(work.tx.sql, serverParticipantId)) await record(deps, work, "keys_changed");
};

const record = async (
  deps: Pick<Deps, "config">,
  { tx, at, actor }: Work,
  change: "metadata_changed" | "keys_changed",
): Promise<void> => {
  const published = await findPublishedSigningKeys({ prisma: tx });
  const keys = published.filter(({ purpose }) => isInSet("server", purpose)).map(({ publicJwk }) => publicJwk);
  await recordVersion(tx.sql, {
    id: serverParticipantId,
    change,
    changedBy: actor.kind,
    at,
    environment: deps.config.environment,
    server: { ...serverEntry(deps), keys },
  });
};
