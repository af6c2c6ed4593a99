import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { type Sql, statement } from "../client.ts";

export type CredentialSource = {
  version: number;
  details: AuthorizationDetails;
  validFrom: Date;
  validUntil: Date;
  listNumber: number;
  statusIndex: number;
  /** whether the signing key is active at this moment */
  keyIsActive: boolean;
};

const takeSource = statement<CredentialSource>(
  "take_credential_source",
  `WITH source AS (
     SELECT version.mandate_id, version.version, version.details, version.list_number, version.status_index,
       mandate.valid_from, mandate.valid_until,
       EXISTS (SELECT FROM signing_key WHERE kid = $3 AND state = 'active') AS key_is_active
     FROM mandate JOIN mandate_version version ON version.mandate_id = mandate.id AND version.version = mandate.version
     WHERE mandate.id = $1 AND mandate.client_id = $2
   ), marked AS (
     UPDATE mandate_version signed SET credential_kid = $3 FROM source
     WHERE source.key_is_active AND signed.mandate_id = source.mandate_id AND signed.version = source.version
       AND signed.credential_kid IS DISTINCT FROM $3
   )
   SELECT version, details, valid_from AS "validFrom", valid_until AS "validUntil", list_number AS "listNumber",
     status_index AS "statusIndex", key_is_active AS "keyIsActive"
   FROM source`,
);

/**
 * Reads the current version of one client's mandate, with its status index. Records the key that signs the mandate's
 * newest credential, so that a revocation of this key finds the mandate. @returns null for another client's mandate.
 */
export const takeCredentialSource = async (
  sql: Sql,
  input: { mandateId: string; clientId: string; kid: string },
): Promise<CredentialSource | null> =>
  (await sql.query(takeSource, [input.mandateId, input.clientId, input.kid]))[0] ?? null;

const findWithdrawn = statement<{ mandateId: string }>(
  "find_withdrawn_credentials",
  `SELECT DISTINCT version.mandate_id AS "mandateId" FROM signing_key key
   JOIN mandate_version version ON version.credential_kid = key.kid
   WHERE key.purpose = 'credential' AND key.state = 'revoked'
   ORDER BY version.mandate_id LIMIT $1::int`,
);

/** Mandates with a version, current or superseded, whose newest credential was signed by a revoked key. */
export const findMandatesWithWithdrawnCredential = async (sql: Sql, limit: number): Promise<string[]> =>
  (await sql.query(findWithdrawn, [limit])).map(({ mandateId }) => mandateId);

const countWithdrawn = statement<{ count: number }>(
  "count_withdrawn_credentials",
  `SELECT count(*)::int AS count FROM signing_key key JOIN mandate_version version ON version.credential_kid = key.kid
   WHERE key.purpose = 'credential' AND key.state = 'revoked'`,
);

export const countWithdrawnCredentials = async (sql: Sql): Promise<number> =>
  (await sql.query(countWithdrawn, []))[0]?.count ?? 0;

const clearWithdrawn = statement<{ version: number; kid: string }>(
  "clear_withdrawn_credentials",
  `UPDATE mandate_version version SET credential_kid = NULL FROM signing_key key
   WHERE version.mandate_id = $1 AND key.kid = version.credential_kid AND key.state = 'revoked'
   RETURNING version.version, key.kid`,
);

/** At most one caller clears each version. @returns the versions that were cleared. */
export const clearWithdrawnCredentials = (sql: Sql, mandateId: string): Promise<{ version: number; kid: string }[]> =>
  sql.query(clearWithdrawn, [mandateId]);
