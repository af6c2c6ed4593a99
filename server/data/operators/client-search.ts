import type { JSONWebKeySet } from "jose";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";
import { verifiedDomainsOf } from "../directory/client-parties.ts";
import type { ActOnObject } from "./object-records.ts";

export type ClientKindName = "agent" | "merchant";
export type ClientState = "active" | "deleted";

/** An OAuth client in the operators' list. */
export type FoundClient = {
  id: string;
  kind: ClientKindName;
  name: string;
  state: ClientState;
  createdAt: Date;
  merchantId: string | null;
  merchantName: string | null;
  /** the name of the client's directory entry */
  participantName: string | null;
};

const columns = `c.id, c.kind::text AS kind, c.name, CASE WHEN c.deleted_at IS NULL THEN 'active' ELSE 'deleted' END AS state,
  c.created_at AS "createdAt", c.merchant_id AS "merchantId"`;
const names = `h.display_name AS "merchantName", p.display_name AS "participantName"`;
const joins = (client: string): string =>
  `LEFT JOIN merchant h ON h.id = ${client}."merchantId" LEFT JOIN participant p ON p.id = ${client}."participantId"`;

type Page = { kind: ClientKindName | null; state: ClientState | null; startingAfter: string | null; limit: number };

/** Which clients to search. `name`: the clients whose names start with the text. */
export type ClientSource = { kind: "all" } | { kind: "client" | "merchant" | "name"; text: string };

const byName = `lower(c.name) COLLATE "C"`;
const stateConditions: Readonly<Record<ClientState, string>> = {
  active: "c.deleted_at IS NULL",
  deleted: "c.deleted_at IS NOT NULL",
};

/**
 * Newest first, or by name if a name is searched; `limit` + 1 rows if there are more. Without a kind, the
 * statement merges the newest clients of each kind, because the first column of the index is the kind.
 */
export const findClientPage = (sql: Sql, source: ClientSource, page: Page): Promise<FoundClient[]> => {
  const values: SqlValue[] = [page.limit + 1];
  const bind = (value: SqlValue) => `$${values.push(value)}::text`;
  const conditions = ["NOT c.is_probe"];
  const isByName = source.kind === "name";
  if (source.kind === "client") conditions.push(`c.id = ${bind(source.text)}`);
  if (source.kind === "merchant") conditions.push(`c.merchant_id = ${bind(source.text)}`);
  if (isByName) {
    const text = bind(source.text);
    conditions.push(`${byName} >= lower(${text}) AND ${byName} < lower(${text}) || chr(1114111)`);
  }
  if (page.state !== null) conditions.push(stateConditions[page.state]);
  // The partial index of deleted clients contains both kinds in order.
  const isMerged = source.kind === "all" && page.kind === null && page.state !== "deleted";
  if (isMerged) conditions.push("c.kind = k.kind");
  else if (page.kind !== null) conditions.push(`c.kind = ${bind(page.kind)}::client_kind`);
  const position = isByName ? [byName, "c.id"] : ["c.created_at", "c.id"];
  if (page.startingAfter !== null) {
    const last = `SELECT ${position.map((column) => column.replace("c.", "l.")).join(", ")} FROM client l WHERE l.id = ${bind(page.startingAfter)}`;
    conditions.push(`(${position.join(", ")}) ${isByName ? ">" : "<"} (${last})`);
  }
  const order = position.map((column) => (isByName ? column : `${column} DESC`)).join(", ");
  const list = `SELECT ${columns}, c.participant_id AS "participantId", ${byName} AS key FROM client c WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT $1::int`;
  const from = isMerged
    ? `(SELECT page.* FROM unnest(enum_range(NULL::client_kind)) AS k (kind) CROSS JOIN LATERAL (${list}) page)`
    : `(${list})`;
  const sorted = isByName ? "f.key, f.id" : `f."createdAt" DESC, f.id DESC`;
  const keys = [source.kind, page.kind && "kind", page.state, page.startingAfter !== null && "after"];
  const text = `SELECT f.id, f.kind, f.name, f.state, f."createdAt", f."merchantId", ${names} FROM ${from} f ${joins("f")}
    ORDER BY ${sorted} LIMIT $1::int`;
  return sql.query(statement<FoundClient>(`list_clients:${keys.filter(Boolean).join(",")}`, text), values);
};

export type ClientFacts = FoundClient & {
  participantId: string | null;
  metadata: JsonObject;
  grantTypes: string[];
  scopes: string[];
  redirectUris: string[];
  /** as registered, or as last loaded from `jwksUri` */
  jwks: JSONWebKeySet;
  jwksUri: string | null;
  keysLoadedAt: Date | null;
  dpopBound: boolean;
  /** of the owner's directory entry */
  verifiedDomains: string[];
  initialAccessTokenId: string | null;
  deletedAt: Date | null;
};

const facts = statement<ClientFacts>(
  "find_client_facts",
  `SELECT f.*, ${names} FROM (
     SELECT ${columns}, c.participant_id AS "participantId", c.metadata, c.grant_types AS "grantTypes", c.scopes,
       c.redirect_uris AS "redirectUris", coalesce(c.jwks, s.jwks, '{"keys":[]}') AS jwks, c.jwks_uri AS "jwksUri",
       s.loaded_at AS "keysLoadedAt", c.dpop_bound AS "dpopBound", ${verifiedDomainsOf("c.participant_id")} AS "verifiedDomains",
       c.initial_access_token_id AS "initialAccessTokenId", c.deleted_at AS "deletedAt"
     FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id WHERE c.id = $1 AND NOT c.is_probe) f ${joins("f")}`,
);

/** Facts about a client, without the hashes of its secrets. */
export const findClientFacts = async (sql: Sql, id: string): Promise<ClientFacts | null> =>
  (await sql.query(facts, [id]))[0] ?? null;

export type ClientHoldings = { grants: number; mandates: number };

const holdings = statement<ClientHoldings>(
  "count_client_holdings",
  `SELECT (SELECT count(*)::int FROM (SELECT FROM "grant" g WHERE g.client_id = $1 AND g.ended_at IS NULL LIMIT $3::int) g) AS grants,
     (SELECT count(*)::int FROM (SELECT FROM mandate m WHERE m.client_id = $1 AND m.state IN ('active', 'suspended')
        AND m.valid_until > $2::timestamptz LIMIT $3::int) m) AS mandates`,
);

/** Live grants and mandates of a client, counted up to `limit`. */
export const countClientHoldings = async (
  sql: Sql,
  { clientId, at, limit }: { clientId: string; at: BusinessTime; limit: number },
): Promise<ClientHoldings> => (await sql.query(holdings, [clientId, at, limit]))[0] ?? { grants: 0, mandates: 0 };

const changes = statement<ActOnObject>(
  "find_client_changes",
  `SELECT at, actor_kind AS "actorKind", actor_id AS "actorId", subject_id AS "subjectId", action, data FROM audit_entry
    WHERE subject_id = $1 AND at >= $2::timestamptz AND action IN ('client.registered', 'client.updated', 'client.deleted')
    ORDER BY at DESC, seq DESC LIMIT $3::int`,
);

/** The registration and its changes, newest first. The client's tokens are left out. */
export const findClientChanges = (
  sql: Sql,
  { clientId, from, limit }: { clientId: string; from: Date; limit: number },
): Promise<ActOnObject[]> => sql.query(changes, [clientId, from, limit]);
