import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { lockParticipantRow } from "../../data/directory/participant-changes.ts";
import { replaceMetadataUris } from "../../data/directory/participant-metadata.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import {
  findListedServer,
  insertListedServer,
  type ListedServer,
  relistServer,
} from "../../data/directory/servers/listed-servers.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import type { FetchedMetadata } from "../health/fetch-metadata.ts";
import { recordSnapshot } from "../health/record-snapshot.ts";
import type { Participant } from "../participants/participant.wire.ts";
import { recordVersion } from "../participants/record-version.ts";
import { statedCapabilities } from "../rules/stated-capabilities.ts";
import { fetchServer, issuerListed } from "./fetch-server.ts";
import { refuseSuspendedServer } from "./refuse-suspended-server.ts";

type Input = {
  issuer: string;
  displayName: string;
  legalName: string;
  environment: Participant["environment"];
  reason: string;
  actor: Actor;
  requestId: string;
};

/**
 * Lists another authorization server in the directory, by its issuer. If its entry was withdrawn, the same entry is
 * listed again with these names. Only one of several concurrent calls for an issuer lists it.
 * @throws DomainError issuer_listed, participant_suspended, and those of `fetchServer`.
 */
export const listServer = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "outbound" | "log">,
  { issuer, displayName, legalName, environment, reason, actor, requestId }: Input,
): Promise<{ participantId: string }> => {
  const fetched = await fetchServer(deps, issuer);
  const own = deps.config.environment;
  const server: ListedServer = {
    issuer,
    displayName,
    legalName,
    environment: environment === own ? null : environment,
    capabilities: statedCapabilities(fetched.document),
  };
  return deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const { id, change } = await enter(sql, server, at);
    await saveMetadata(sql, { participantId: id, fetched, at });
    await recordVersion(sql, { id, change, changedBy: actor.kind, at, environment: own });
    const action = `participant.${change}`;
    await appendAudit(sql, { at, actor, requestId, subjectId: id, action, data: { reason, issuer } });
    return { participantId: id };
  });
};

type Entered = { id: string; change: "registered" | "listed_again" };

/** Locks the entry until the caller's transaction ends. */
const enter = async (sql: Sql, server: ListedServer, at: Date): Promise<Entered> => {
  const created = newId("ptc");
  if (await insertListedServer(sql, created, { ...server, at })) return { id: created, change: "registered" };
  const id = await findListedServer(sql, server.issuer);
  if (id === null) throw new Error("the entry of the issuer does not exist");
  await lockParticipantRow(sql, id);
  const row = await findParticipant(sql, id);
  if (row?.status !== "withdrawn") throw issuerListed();
  refuseSuspendedServer(row);
  await relistServer(sql, id, server);
  return { id, change: "listed_again" };
};

type Snapshot = { participantId: string; fetched: FetchedMetadata; at: Date };

/** For a new entry, the first hourly check is due at once: it measures the health. */
const saveMetadata = async (sql: Sql, { participantId, fetched, at }: Snapshot): Promise<void> => {
  await replaceMetadataUris(sql, participantId, { uris: [fetched.uri], at });
  await recordSnapshot(sql, { participantId, fetched, at });
};
