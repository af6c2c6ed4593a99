import type { StatedCapabilities } from "../../../directory/rules/stated-capabilities.ts";
import { type Sql, statement } from "../../client.ts";

/** What an operator enters about an authorization server, and what its metadata says. */
export type ListedServer = {
  issuer: string;
  displayName: string;
  legalName: string;
  /** null: that of the directory */
  environment: string | null;
  capabilities: StatedCapabilities;
};

const insert = statement<{ id: string }>(
  "insert_listed_server",
  `INSERT INTO participant (id, roles, issuer, display_name, legal_name, environment, stated_capabilities, contacts,
     contact_salts, created_at, updated_at)
   VALUES ($1, '{authorization_server}', $2::text, $3::text, $4::text, $5::text, $6::jsonb, '{}', '{}', $7::timestamptz,
     $7::timestamptz)
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** Inserts the entry without a version. @returns false if the issuer has an entry already. */
export const insertListedServer = async (
  sql: Sql,
  id: string,
  { issuer, displayName, legalName, environment, capabilities, at }: ListedServer & { at: Date },
): Promise<boolean> => {
  const values = [id, issuer, displayName, legalName, environment, JSON.stringify(capabilities), at] as const;
  return (await sql.query(insert, values)).length === 1;
};

const find = statement<{ id: string }>(
  "find_listed_server",
  "SELECT id FROM participant WHERE rtrim(issuer, '/') = rtrim($1::text, '/')",
);

/** The entry of an issuer. A trailing slash makes no difference. */
export const findListedServer = async (sql: Sql, issuer: string): Promise<string | null> =>
  (await sql.query(find, [issuer]))[0]?.id ?? null;

const relist = statement<never>(
  "relist_server",
  `UPDATE participant SET withdrawn_at = NULL, issuer = $2::text, display_name = $3::text, legal_name = $4::text,
     environment = $5::text, stated_capabilities = $6::jsonb WHERE id = $1`,
);

/** Ends the withdrawal of the entry. The caller has locked the participant. */
export const relistServer = async (
  sql: Sql,
  id: string,
  { issuer, displayName, legalName, environment, capabilities }: ListedServer,
): Promise<void> => {
  await sql.query(relist, [id, issuer, displayName, legalName, environment, JSON.stringify(capabilities)]);
};

const state = statement<never>(
  "set_stated_capabilities",
  "UPDATE participant SET stated_capabilities = $2::jsonb WHERE id = $1",
);

/** The caller has locked the participant. */
export const updateStatedCapabilities = async (
  sql: Sql,
  id: string,
  capabilities: StatedCapabilities,
): Promise<void> => {
  await sql.query(state, [id, JSON.stringify(capabilities)]);
};
