import type { Sql } from "../../data/client.ts";
import {
  deleteFederationEntity,
  type FetchedEntity,
  findEntityHolder,
  insertFederationEntity,
} from "../../data/directory/federation-entities.ts";
import { lockParticipantRows } from "../../data/directory/participant-changes.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, sentenceRefusal } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import {
  appendOwnAudit,
  lockOwnParticipant,
  type OwnCaller,
  ownActorOf,
} from "../participants/lock-own-participant.ts";
import { recordVersion } from "../participants/record-version.ts";
import { entityHost } from "../rules/federation/entity-configuration.ts";
import { isVerifiedHost } from "../rules/verified-host.ts";
import { checkSeconds, type Fetched, fetchConfiguration } from "./fetch-configuration.ts";
import { releaseEntity } from "./release-entity.ts";

type Own = OwnCaller & { participantId: string; requestId: string };

/**
 * Registers the entity of a participant, which then is a subordinate of the directory. Registering it again fetches its
 * configuration again and accepts the keys in it. If another participant has the entity, but is withdrawn or no longer
 * has the domain, it loses the entity.
 * @throws DomainError invalid, naming /entity_id; participant_not_verified, federation_entity_taken,
 *   federation_configuration_invalid, temporarily_unavailable, and those of `lockOwnParticipant`.
 */
export const registerFederationEntity = async (
  deps: Deps,
  { entityId, ...own }: Own & { entityId: string },
): Promise<FetchedEntity> => {
  const { baseUrl, discoveryUrl, environment } = deps.config;
  if (entityId === baseUrl || entityId === discoveryUrl) throw taken();
  await deps.db.sqlTransaction((sql) => lockForEntity(sql, own, entityId));
  const fetched = requireFetched(await fetchConfiguration(deps, entityId));
  return deps.db.sqlTransaction(async (sql) => {
    const { participantId, requestId } = own;
    const former = await lockFormerHolder(sql, { participantId, entityId });
    await lockForEntity(sql, own, entityId);
    const at = deps.clock.now();
    await deleteFederationEntity(sql, participantId);
    if (former !== null && !(await releaseEntity(deps, sql, { entityId, holderId: former, at, requestId })))
      throw taken();
    const row = { participantId, fetched, at, dueAt: addSeconds(at, checkSeconds) };
    if (!(await insertFederationEntity(sql, row))) throw taken();
    const changedBy = ownActorOf(own).kind;
    await recordVersion(sql, { id: participantId, change: "federation_registered", changedBy, at, environment });
    const data = { entity_id: entityId, key_thumbprints: fetched.keyThumbprints };
    await appendOwnAudit(sql, own, { at, requestId, action: "participant.federation_registered", data });
    return fetched;
  });
};

/** Locks another participant that has the entity, together with the caller's. @returns null if there is none. */
const lockFormerHolder = async (
  sql: Sql,
  { participantId, entityId }: { participantId: string; entityId: string },
): Promise<string | null> => {
  const holder = await findEntityHolder(sql, entityId);
  if (holder === null || holder.participantId === participantId) return null;
  await lockParticipantRows(sql, [participantId, holder.participantId]);
  return holder.participantId;
};

/** Ends the registration. @throws DomainError federation_entity_not_found, and those of `lockOwnParticipant`. */
export const removeFederationEntity = (
  { db, clock, config: { environment } }: Pick<Deps, "db" | "clock" | "config">,
  own: Own,
): Promise<void> =>
  db.sqlTransaction(async (sql) => {
    const { participantId, requestId } = own;
    await lockOwnParticipant(sql, own, { even: ["withdrawn"] });
    if (!(await deleteFederationEntity(sql, participantId))) {
      const message = "The participant has no federation entity.";
      throw new DomainError("not_found", { code: "federation_entity_not_found", message });
    }
    const at = clock.now();
    const changedBy = ownActorOf(own).kind;
    await recordVersion(sql, { id: participantId, change: "federation_removed", changedBy, at, environment });
    await appendOwnAudit(sql, own, { at, requestId, action: "participant.federation_removed" });
  });

/** The identifier must be the participant's: its host is a verified domain or a subdomain of one. */
const lockForEntity = async (sql: Sql, own: Own, entityId: string): Promise<void> => {
  const host = entityHost(entityId);
  if (host === null) {
    const detail = "The entity identifier must be an https URL without port, query and fragment, in its normal form.";
    throw sentenceRefusal("/entity_id", detail);
  }
  const { status } = await lockOwnParticipant(sql, own);
  const row = await findParticipant(sql, own.participantId);
  if (status !== "active" || !row) {
    throw new DomainError("forbidden", {
      code: "participant_not_verified",
      message: "The entry needs a verified domain to register a federation entity.",
    });
  }
  if (!isVerifiedHost(row, host)) {
    throw sentenceRefusal(
      "/entity_id",
      "The host of the entity identifier must be a verified domain of the entry or a subdomain of one.",
    );
  }
};

const requireFetched = (result: Fetched): FetchedEntity => {
  if (result.is === "fetched") return result.entity;
  if (result.is === "refused") {
    const { problem: message } = result;
    const errors = [{ pointer: "/entity_id", detail: message }];
    throw new DomainError("unprocessable", { code: "federation_configuration_invalid", message, errors });
  }
  throw new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "The configuration can’t be fetched at the moment. Try again later.",
    headers: { "retry-after": "5" },
  });
};

const taken = () => {
  const message = "Another participant has registered this federation entity.";
  const errors = [{ pointer: "/entity_id", detail: message }];
  return new DomainError("conflict", { code: "federation_entity_taken", message, errors });
};
