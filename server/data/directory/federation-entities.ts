import { type Sql, statement } from "../client.ts";
import { participantStatus } from "./participants.ts";

/** An entity's stored configuration, and data that was read from it. */
export type FetchedEntity = {
  entityId: string;
  /** compact JWT */
  configuration: string;
  /** RFC 7638 */
  keyThumbprints: readonly string[];
  entityTypes: readonly string[];
  validUntil: Date;
};

const removal = "DELETE FROM participant_federation_entity WHERE participant_id = $1 RETURNING entity_id";
const remove = statement<{ entity_id: string }>("delete_federation_entity", removal);

/** @returns whether the participant had an entity. */
export const deleteFederationEntity = async (sql: Sql, participantId: string): Promise<boolean> =>
  (await sql.query(remove, [participantId])).length === 1;

const insert = statement<{ entity_id: string }>(
  "insert_federation_entity",
  `INSERT INTO participant_federation_entity (participant_id, entity_id, configuration, key_thumbprints, entity_types, valid_until, fetched_at, check_due_at)
   VALUES ($1, $2, $3, $4::text[], $5::text[], $6::timestamptz, $7::timestamptz, $8::timestamptz)
   ON CONFLICT (entity_id) DO NOTHING RETURNING entity_id`,
);

/**
 * The caller has locked the participant and deleted its earlier entity.
 * @returns false if another participant has the entity.
 */
export const insertFederationEntity = async (
  sql: Sql,
  { participantId, fetched, at, dueAt }: { participantId: string; fetched: FetchedEntity; at: Date; dueAt: Date },
): Promise<boolean> => {
  const { entityId, configuration, keyThumbprints, entityTypes, validUntil } = fetched;
  const values = [participantId, entityId, configuration, keyThumbprints, entityTypes, validUntil, at, dueAt] as const;
  return (await sql.query(insert, values)).length === 1;
};

export type EntityRow = {
  entityId: string;
  keyThumbprints: string[];
  validUntil: Date;
  /** last fetch, whatever its result; null: unknown */
  fetchedAt: Date | null;
  /** why the last fetch failed: a sentence; null: it succeeded */
  problem: string | null;
};

const own = statement<EntityRow>(
  "find_federation_entity",
  `SELECT entity_id AS "entityId", key_thumbprints AS "keyThumbprints", valid_until AS "validUntil", fetched_at AS "fetchedAt", problem
     FROM participant_federation_entity WHERE participant_id = $1`,
);

/** The registered entity of a participant, whether or not it is a subordinate; null: none. */
export const findFederationEntity = async (sql: Sql, participantId: string): Promise<EntityRow | null> =>
  (await sql.query(own, [participantId]))[0] ?? null;

export type SubordinateRow = { participantId: string; entityId: string; configuration: string };

/** Whether the host of the entity `f` is a verified domain of its participant or a subdomain of one. */
const isOnVerifiedDomain = `EXISTS (SELECT 1 FROM participant_domain d
     WHERE d.participant_id = f.participant_id AND d.verified_at IS NOT NULL
       AND right('.' || split_part(f.entity_id, '/', 3), length(d.domain) + 1) = '.' || d.domain)`;

const holder = statement<{ participantId: string; isEntitled: boolean }>(
  "find_federation_entity_holder",
  `SELECT f.participant_id AS "participantId", p.withdrawn_at IS NULL AND ${isOnVerifiedDomain} AS "isEntitled"
     FROM participant_federation_entity f JOIN participant p ON p.id = f.participant_id WHERE f.entity_id = $1`,
);

/**
 * The participant that has registered the entity; null: none. `isEntitled`: it isn't withdrawn, and the host of the
 * entity is on one of its verified domains.
 */
export const findEntityHolder = async (
  sql: Sql,
  entityId: string,
): Promise<{ participantId: string; isEntitled: boolean } | null> => (await sql.query(holder, [entityId]))[0] ?? null;

/** Entities with a current configuration, an active participant, and an identifier on a verified domain. */
const subordinates = `FROM participant_federation_entity f JOIN participant p ON p.id = f.participant_id
  LEFT JOIN merchant m ON m.id = p.merchant_id
 WHERE f.valid_until > $1::timestamptz AND (${participantStatus}) = 'active' AND ${isOnVerifiedDomain}`;

const find = statement<SubordinateRow>(
  "find_federation_subordinate",
  `SELECT f.participant_id AS "participantId", f.entity_id AS "entityId", f.configuration ${subordinates} AND f.entity_id = $2`,
);

export const findSubordinateEntity = async (
  sql: Sql,
  { entityId, at }: { entityId: string; at: Date },
): Promise<SubordinateRow | null> => (await sql.query(find, [at, entityId]))[0] ?? null;

const list = statement<{ entityId: string }>(
  "list_federation_subordinates",
  `SELECT f.entity_id AS "entityId" ${subordinates} AND f.entity_types @> $2::text[] ORDER BY f.entity_id`,
);

/** @param entityTypes only entities that have all these types. */
export const listSubordinateEntities = async (
  sql: Sql,
  { entityTypes, at }: { entityTypes: readonly string[]; at: Date },
): Promise<string[]> => (await sql.query(list, [at, entityTypes])).map(({ entityId }) => entityId);

/** A fetch that one worker claimed. */
export type EntityCheckRow = {
  participantId: string;
  /** null: the participant has no merchant */
  merchantId: string | null;
  entityId: string;
  keyThumbprints: string[];
  leaseUntil: Date;
};

const claim = statement<EntityCheckRow>(
  "claim_federation_check",
  `UPDATE participant_federation_entity SET check_due_at = $2::timestamptz
    WHERE participant_id = (SELECT participant_id FROM participant_federation_entity
      WHERE check_due_at <= $1::timestamptz ORDER BY check_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING participant_id AS "participantId", (SELECT p.merchant_id FROM participant p WHERE p.id = participant_id) AS "merchantId",
          entity_id AS "entityId", key_thumbprints AS "keyThumbprints", check_due_at AS "leaseUntil"`,
);

/** Claims the entity whose fetch has been due longest, for one worker until `leaseUntil`. */
export const claimEntityCheck = async (sql: Sql, now: Date, leaseUntil: Date): Promise<EntityCheckRow | null> =>
  (await sql.query(claim, [now, leaseUntil]))[0] ?? null;

/** Finds no row if the entity was removed or replaced, or if another worker took the fetch over. */
const claimed = `WHERE participant_id = $1 AND entity_id = $2 AND check_due_at = $3::timestamptz RETURNING participant_id`;

const renew = statement<{ participant_id: string }>(
  "renew_federation_entity",
  `UPDATE participant_federation_entity SET configuration = $4, key_thumbprints = $5::text[], entity_types = $6::text[],
          valid_until = $7::timestamptz, fetched_at = $8::timestamptz, problem = NULL, left_at = NULL, check_due_at = $9::timestamptz ${claimed}`,
);
const fail = statement<{ leftAt: Date | null }>(
  "record_failed_federation_check",
  `UPDATE participant_federation_entity SET fetched_at = $4::timestamptz, problem = $5, check_due_at = $6::timestamptz,
          left_at = CASE WHEN left_at IS NULL AND valid_until <= $4::timestamptz THEN $4::timestamptz ELSE left_at END
   ${claimed}, left_at AS "leftAt"`,
);

const keyOf = ({ participantId, entityId, leaseUntil }: EntityCheckRow) =>
  [participantId, entityId, leaseUntil] as const;

const postpone = statement<{ participant_id: string }>(
  "postpone_federation_check",
  `UPDATE participant_federation_entity SET check_due_at = $4::timestamptz ${claimed}`,
);

/** Skips a claimed fetch: the next fetch is due at `dueAt`. */
export const postponeEntityCheck = async (sql: Sql, check: EntityCheckRow, dueAt: Date): Promise<void> => {
  await sql.query(postpone, [...keyOf(check), dueAt]);
};

/** @returns false if the fetch no longer belongs to this worker. */
export const renewFederationEntity = async (
  sql: Sql,
  check: EntityCheckRow,
  { fetched, at, dueAt }: { fetched: FetchedEntity; at: Date; dueAt: Date },
): Promise<boolean> => {
  const { configuration, keyThumbprints, entityTypes, validUntil } = fetched;
  const values = [...keyOf(check), configuration, keyThumbprints, entityTypes, validUntil, at, dueAt] as const;
  return (await sql.query(renew, values)).length === 1;
};

/** @returns whether this fetch is the first failed one since the verified configuration expired. */
export const recordFailedEntityCheck = async (
  sql: Sql,
  check: EntityCheckRow,
  { problem, at, dueAt }: { problem: string; at: Date; dueAt: Date },
): Promise<boolean> => {
  const [row] = await sql.query(fail, [...keyOf(check), at, problem, dueAt]);
  return row?.leftAt?.getTime() === at.getTime();
};
