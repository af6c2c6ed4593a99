import type { JsonObject } from "../kernel/json.ts";
import { type Sql, statement } from "./client.ts";

export type CredentialSource = {
  version: number;
  details: JsonObject;
  validFrom: Date;
  validUntil: Date;
  listNumber: number;
  statusIndex: number;
};

const findSource = statement<CredentialSource>(
  "find_credential_source",
  `SELECT version.version, version.details, mandate.valid_from AS "validFrom", mandate.valid_until AS "validUntil",
     version.list_number AS "listNumber", version.status_index AS "statusIndex"
   FROM mandate JOIN mandate_version version ON version.mandate_id = mandate.id AND version.version = mandate.version
   WHERE mandate.id = $1 AND mandate.client_id = $2`,
);

/** The present version of one client's mandate, with its status index; null for another client's. */
export const findCredentialSource = async (
  sql: Sql,
  input: { mandateId: string; clientId: string },
): Promise<CredentialSource | null> => (await sql.query(findSource, [input.mandateId, input.clientId]))[0] ?? null;
