import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockParticipant } from "../../data/directory/participant-changes.ts";
import { type HealthCheckRow, type HealthResult, recordHealth } from "../../data/directory/participant-health.ts";
import { trimMetadataChanges } from "../../data/directory/participant-metadata.ts";
import type { ParticipantRow } from "../../data/directory/participants.ts";
import { updateStatedCapabilities } from "../../data/directory/servers/listed-servers.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { findOwnerAddresses } from "../domains/find-owner-addresses.ts";
import { recordVersion } from "../participants/record-version.ts";
import { statedCapabilities } from "../rules/stated-capabilities.ts";
import type { FetchedMetadata } from "./fetch-metadata.ts";
import { type MetadataChange, recordSnapshot } from "./record-snapshot.ts";

/** Number of changes that are kept for a participant. */
const maxChanges = 20;

type Check = {
  check: HealthCheckRow;
  row: ParticipantRow;
  result: HealthResult;
  fetched: readonly FetchedMetadata[];
  requestId: string;
};

/**
 * Records a check. In the same transaction, each difference from the earlier snapshots is stored as a change, and the
 * owners get an e-mail about the changes. The entry of a listed authorization server gets the new capabilities and
 * keys.
 * Nothing is recorded if the check no longer belongs to this worker.
 */
export const recordCheck = (
  { db, config, clock }: Pick<Deps, "db" | "config" | "clock">,
  { check, row, result, fetched, requestId }: Check,
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    if (row.issuer !== null && !(await lockActiveServer(sql, row.id))) return;
    if (!(await recordHealth(sql, check, result))) return;
    const { at } = result;
    const changes: MetadataChange[] = [];
    for (const one of fetched) {
      changes.push(...(await recordSnapshot(sql, { participantId: row.id, fetched: one, at })));
    }
    if (changes.length === 0) return;
    await trimMetadataChanges(sql, row.id, maxChanges);
    if (row.issuer !== null) await recordServer(sql, { id: row.id, fetched, changes, at, config });
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "health-checks" },
      requestId,
      action: "participant.metadata_changed",
      subjectId: row.id,
      data: {
        documents: changes.map(({ uri, part }) => ({ uri, part })),
        ...(row.merchantId === null ? {} : { merchant_id: row.merchantId }),
      },
    });
    const recipients = await findOwnerAddresses(sql, row);
    const entryUrl = `${config.discoveryUrl}/${row.id}#health`;
    const about = { participantName: row.displayName, changes, at, entryUrl };
    const content = (timeZone: string) => ({ kind: "metadata_changed" as const, ...about, timeZone });
    await queueMailToEach({ config, clock }, sql, { recipients, content, requestId });
  });

/**
 * Every change of an entry locks the participant first, so the participant is locked before the row of its health.
 * @returns false if an operator has withdrawn or suspended the entry since it was read.
 */
const lockActiveServer = async (sql: Sql, id: string): Promise<boolean> =>
  (await lockParticipant(sql, { id, clientId: null, merchantId: null }))?.status === "active";

type ServerMetadata = {
  id: string;
  fetched: readonly FetchedMetadata[];
  changes: readonly MetadataChange[];
  at: Date;
  config: Pick<Deps["config"], "environment">;
};

/** A listed server's keys are those of its snapshot. If neither keys nor capabilities changed, no version is added. */
const recordServer = async (
  sql: Sql,
  { id, fetched: [fetched], changes, at, config: { environment } }: ServerMetadata,
): Promise<void> => {
  if (fetched) await updateStatedCapabilities(sql, id, statedCapabilities(fetched.document));
  const change = changes.some(({ part }) => part === "metadata") ? "metadata_changed" : "keys_changed";
  await recordVersion(sql, { id, change, changedBy: "system", at, environment });
};
