import { isDeepStrictEqual } from "node:util";
import {
  claimEntityCheck,
  type EntityCheckRow,
  type FetchedEntity,
  findEntityHolder,
  postponeEntityCheck,
  recordFailedEntityCheck,
  renewFederationEntity,
} from "../../data/directory/federation-entities.ts";
import { lockParticipantRow } from "../../data/directory/participant-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { notifyEntryOwners } from "../participants/notify-entry-owners.ts";
import { recordVersion } from "../participants/record-version.ts";
import { signerThumbprint } from "../rules/federation/entity-configuration.ts";
import { checkSeconds, fetchConfiguration } from "./fetch-configuration.ts";
import { appendEntityAudit, reportLeft } from "./report-left.ts";

/** Longer than the longest fetch. After this time, another worker takes over the fetch of a killed worker. */
const leaseSeconds = 60;

type CheckDeps = Pick<Deps, "db" | "clock" | "config" | "outbound" | "log">;

/**
 * Fetches the configurations of the registered entities hourly, while their hosts are on verified domains of
 * participants that aren't withdrawn. Any number of workers share the work.
 * @returns how many due entities were handled, fetched or not, at most `limit`.
 */
export const recheckEntities = async (
  deps: CheckDeps,
  { limit, requestId }: { limit: number; requestId: string },
): Promise<number> => {
  let checked = 0;
  while (checked < limit) {
    const now = deps.clock.now();
    const check = await claimEntityCheck(deps.db.sql, now, addSeconds(now, leaseSeconds));
    if (!check) break;
    await checkOne(deps, check, requestId);
    checked += 1;
  }
  return checked;
};

const checkOne = async (deps: CheckDeps, check: EntityCheckRow, requestId: string): Promise<void> => {
  const holder = await findEntityHolder(deps.db.sql, check.entityId);
  if (!holder?.isEntitled) {
    await postponeEntityCheck(deps.db.sql, check, addSeconds(deps.clock.now(), checkSeconds));
    return;
  }
  const result = await fetchConfiguration(deps, check.entityId);
  if (result.is === "fetched" && isContinuous(check, result.entity)) {
    await renew(deps, check, { fetched: result.entity, requestId });
  } else if (result.is !== "busy") {
    const problem = result.is === "refused" ? result.problem : newKeysProblem;
    await recordFailure(deps, check, { problem, requestId });
  }
};

/**
 * New keys are accepted only if a known key signed them, so that control of the web server isn't enough to add a key.
 * If all keys are new, the participant must register the entity again.
 */
const isContinuous = ({ keyThumbprints }: EntityCheckRow, { configuration }: FetchedEntity): boolean => {
  const thumbprint = signerThumbprint(configuration);
  return thumbprint !== null && keyThumbprints.includes(thumbprint);
};

const newKeysProblem = "No known key signed the configuration. Register the entity again to accept its new keys.";

/** If the configuration that was verified last has expired, the entity left the federation: the owners get one e-mail. */
const recordFailure = (
  { db, clock, config }: CheckDeps,
  check: EntityCheckRow,
  { problem, requestId }: { problem: string; requestId: string },
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const at = clock.now();
    const hasLeft = await recordFailedEntityCheck(sql, check, { problem, at, dueAt: addSeconds(at, checkSeconds) });
    if (hasLeft) await reportLeft({ config, clock }, sql, { entity: check, problem, at, requestId });
  });

const renew = (
  { db, clock, config }: CheckDeps,
  check: EntityCheckRow,
  { fetched, requestId }: { fetched: FetchedEntity; requestId: string },
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const { participantId, entityId } = check;
    const isChanged = !isDeepStrictEqual(check.keyThumbprints, fetched.keyThumbprints);
    // Every change of an entry takes this lock first.
    if (isChanged) await lockParticipantRow(sql, participantId);
    const at = clock.now();
    if (!(await renewFederationEntity(sql, check, { fetched, at, dueAt: addSeconds(at, checkSeconds) }))) return;
    if (!isChanged) return;
    const change = "federation_keys_changed";
    await recordVersion(sql, { id: participantId, change, changedBy: "system", at, environment: config.environment });
    const keys = { kind: change, entityId, keyCount: fetched.keyThumbprints.length } as const;
    await notifyEntryOwners({ config, clock }, sql, { participantId, change: keys, at, requestId });
    const data = { key_thumbprints: fetched.keyThumbprints };
    await appendEntityAudit(sql, check, { at, requestId, action: `participant.${change}`, data });
  });
