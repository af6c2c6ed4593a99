import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

const endOthers = statement<never>(
  "end_participant_keys",
  `UPDATE participant_key SET until = greatest(since, $3::timestamptz)
    WHERE participant_id = $1 AND until IS NULL AND NOT thumbprint = ANY ($2::text[])`,
);
const keep = statement<never>(
  "keep_participant_keys",
  `INSERT INTO participant_key (participant_id, thumbprint, jwk, since)
   SELECT $1, k.thumbprint, k.jwk::jsonb, $4::timestamptz FROM unnest($2::text[], $3::text[]) AS k (thumbprint, jwk)
   ON CONFLICT (participant_id, thumbprint) WHERE until IS NULL
     DO UPDATE SET jwk = excluded.jwk WHERE participant_key.jwk IS DISTINCT FROM excluded.jwk`,
);

/** Makes these the participant's current keys. The caller's transaction has locked the participant. */
export const replaceParticipantKeys = async (
  sql: Sql,
  {
    participantId,
    keys,
    at,
  }: { participantId: string; keys: readonly { thumbprint: string; jwk: object }[]; at: Date },
): Promise<void> => {
  const thumbprints = keys.map(({ thumbprint }) => thumbprint);
  await sql.query(endOthers, [participantId, thumbprints, at]);
  const jwks = keys.map(({ jwk }) => JSON.stringify(jwk));
  await sql.query(keep, [participantId, thumbprints, jwks, at]);
};

export type ParticipantKeyRow = {
  thumbprint: string;
  jwk: JsonObject;
  /** null: current */
  until: Date | null;
};

const listKeys = statement<ParticipantKeyRow>(
  "list_participant_keys",
  `SELECT DISTINCT ON (k.thumbprint) k.thumbprint, k.jwk, k.until FROM participant_key k
    WHERE k.participant_id = $1 AND k.jwk IS NOT NULL AND (k.until IS NULL OR $2::boolean)
    ORDER BY k.thumbprint, k.until DESC NULLS FIRST`,
);

/** Each key once, by thumbprint. A key that is current again isn't retired. */
export const findKeysOfParticipant = (
  sql: Sql,
  { participantId, withRetired }: { participantId: string; withRetired: boolean },
): Promise<ParticipantKeyRow[]> => sql.query(listKeys, [participantId, withRetired]);

export type KeyHolderRow = { participantId: string; since: Date; until: Date | null };

const listHolders = statement<KeyHolderRow>(
  "list_key_holders",
  `SELECT k.participant_id AS "participantId", k.since, k.until FROM participant_key k WHERE k.thumbprint = $1
    ORDER BY k.until DESC NULLS FIRST, k.since, k.id LIMIT 100`,
);

/**
 * At most 100 holders. Participants that have the key now come first, beginning with the one that has had it longest.
 * Former holders follow, beginning with the last one.
 */
export const findKeyHolders = (sql: Sql, thumbprint: string): Promise<KeyHolderRow[]> =>
  sql.query(listHolders, [thumbprint]);
