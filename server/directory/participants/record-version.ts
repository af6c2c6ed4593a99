import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockParticipantRow } from "../../data/directory/participant-changes.ts";
import { replaceParticipantKeys } from "../../data/directory/participant-keys.ts";
import {
  findLatestDocument,
  findParticipantKeys,
  insertParticipantVersion,
} from "../../data/directory/participant-versions.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { readKeys } from "../keys/read-keys.ts";
import { facetsOf } from "../rules/facets.ts";
import { diffJson } from "../rules/json-patch.ts";
import { type Participant, type ServerEntry, toParticipant } from "./participant.wire.ts";
import { participantDocument } from "./participant-document.ts";

type Change = {
  id: string;
  /** what changed; the first version of a participant is always `registered` */
  change: string;
  changedBy: Actor["kind"];
  at: Date;
  environment: Participant["environment"];
  /** for the authorization server's own entry: the data that isn't in its row */
  server?: ServerEntry & { keys: readonly object[] };
};

/**
 * Adds the participant's current state as the next version to its history, and adds the version to the transparency
 * log. Call it in the transaction that changed the participant. The participant stays locked until the transaction
 * ends. If its document didn't change, no version is added.
 */
export const recordVersion = async (
  sql: Sql,
  { id, change, changedBy, at, environment, server }: Change,
): Promise<void> => {
  await lockParticipantRow(sql, id);
  const row = await findParticipant(sql, id);
  if (!row) throw new Error(`participant ${id} does not exist`);
  const context = { environment, server: () => server ?? missingServerEntry(), now: at };
  const keys = readKeys(server?.keys ?? (await findParticipantKeys(sql, id)));
  await replaceParticipantKeys(sql, { participantId: id, keys, at });
  const participant = toParticipant(row, context);
  const document = participantDocument(participant, keys);
  const before = row.version === 0 ? null : await findLatestDocument(sql, id);
  const diff = diffJson(before ?? {}, document);
  if (diff.length === 0) return;
  const version = row.version + 1;
  const name = before === null ? "registered" : change;
  const documentSha256 = sha256Base64url(canonicalJson(document));
  const logEntry = canonicalJson({
    type: `participant.${name}`,
    participant_id: id,
    version,
    changed_at: at.toISOString(),
    changed_by: changedBy,
    document_sha256: documentSha256,
  });
  await insertParticipantVersion(sql, {
    participantId: id,
    version,
    change: name,
    changedBy,
    changedAt: at,
    document,
    diff,
    documentSha256,
    logEntry,
    facets: facetsOf(participant, row.environment),
  });
};

const missingServerEntry = (): never => {
  throw new Error("the authorization server's own entry can only be recorded with its metadata");
};
