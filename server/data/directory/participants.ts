import type { HealthDay } from "../../directory/rules/health.ts";
import { type Sql, type SqlValue, statement } from "../client.ts";

export type ParticipantStatus = "pending" | "active" | "suspended" | "withdrawn";

/** A participant as shown in the directory, with data derived from its clients and domains. */
export type ParticipantRow = {
  id: string;
  roles: string[];
  merchantId: string | null;
  displayName: string;
  legalName: string | null;
  websiteUri: string | null;
  logoUri: string | null;
  contacts: string[];
  /** one for each contact, base64url */
  contactSalts: string[];
  status: ParticipantStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  verifiedDomains: { domain: string; verifiedAt: string }[];
  /** null: none is registered */
  federationEntity: { entityId: string; keyThumbprints: string[] } | null;
  /** addresses of its metadata documents (RFC 8414, RFC 9728), sorted */
  metadataUris: string[];
  /** null: not checked yet, or it has no metadata documents */
  health: {
    checkedAt: string;
    lastSuccessAt: string | null;
    latencyMs: number | null;
    problem: string | null;
    days: HealthDay[];
  } | null;
  /** union over its live clients */
  grantTypes: string[];
  detailsTypes: string[];
  /** whether each live client binds its tokens */
  dpopBound: boolean;
  /** of its merchant */
  currency: string | null;
};

/** The status of `p`, with its merchant as `m`: the entry of a suspended merchant is suspended immediately. */
export const participantStatus = `CASE WHEN p.withdrawn_at IS NOT NULL THEN 'withdrawn'
       WHEN m.suspended_at IS NOT NULL THEN 'suspended'
       WHEN 'authorization_server' = ANY (p.roles)
         OR EXISTS (SELECT 1 FROM participant_domain d WHERE d.participant_id = p.id AND d.verified_at IS NOT NULL) THEN 'active'
       ELSE 'pending' END`;

const ofClients = "FROM client c WHERE c.participant_id = p.id AND c.deleted_at IS NULL";
const detailsTypes = "c.metadata -> 'authorization_details_types'";

const columns = `p.id, coalesce(p.roles, '{}') AS roles, p.merchant_id AS "merchantId", p.display_name AS "displayName",
       p.legal_name AS "legalName", p.website_uri AS "websiteUri", p.logo_uri AS "logoUri",
       coalesce(p.contacts, '{}') AS contacts, coalesce(p.contact_salts, '{}') AS "contactSalts", ${participantStatus} AS status, p.version, p.created_at AS "createdAt",
       p.updated_at AS "updatedAt",
       coalesce((SELECT json_agg(json_build_object('domain', d.domain, 'verifiedAt', d.verified_at) ORDER BY d.domain)
          FROM participant_domain d WHERE d.participant_id = p.id AND d.verified_at IS NOT NULL), '[]') AS "verifiedDomains",
       (SELECT json_build_object('entityId', f.entity_id, 'keyThumbprints', f.key_thumbprints)
          FROM participant_federation_entity f WHERE f.participant_id = p.id) AS "federationEntity",
       ARRAY(SELECT d.uri FROM participant_metadata d WHERE d.participant_id = p.id ORDER BY d.uri) AS "metadataUris",
       (SELECT json_build_object('checkedAt', h.checked_at, 'lastSuccessAt', h.last_success_at, 'latencyMs', h.latency_ms,
               'problem', h.problem, 'days', h.days)
          FROM participant_health h WHERE h.participant_id = p.id AND h.checked_at IS NOT NULL) AS health,
       ARRAY(SELECT DISTINCT unnest(c.grant_types) ${ofClients} ORDER BY 1) AS "grantTypes",
       ARRAY(SELECT DISTINCT jsonb_array_elements_text(CASE jsonb_typeof(${detailsTypes}) WHEN 'array' THEN ${detailsTypes} ELSE '[]' END)
             ${ofClients} ORDER BY 1) AS "detailsTypes",
       coalesce((SELECT bool_and(c.dpop_bound) ${ofClients}), false) AS "dpopBound", m.currency`;

const find = statement<ParticipantRow>(
  "find_participant",
  `SELECT ${columns} FROM participant p LEFT JOIN merchant m ON m.id = p.merchant_id WHERE p.id = $1`,
);

export const findParticipant = async (sql: Sql, id: string): Promise<ParticipantRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const found = `(
      SELECT s.id FROM participant s
       WHERE to_tsvector('simple'::regconfig, s.display_name || ' ' || coalesce(s.legal_name, '')) @@ to_tsquery('simple'::regconfig, $2::text)
      UNION SELECT s.id FROM participant s WHERE s.id = $3::text
      UNION SELECT s.id FROM participant s WHERE s.merchant_id = $3::text
      UNION SELECT c.participant_id FROM client c WHERE c.id = $3::text AND c.deleted_at IS NULL
      UNION SELECT d.participant_id FROM participant_domain d WHERE d.domain = lower($3::text) AND d.verified_at IS NOT NULL
     ) found JOIN LATERAL (SELECT * FROM participant WHERE id = found.id OFFSET 0) p ON true`;

export type ParticipantPlace = { updatedAt: Date; id: string };

type ParticipantFilter = {
  /** null: all */
  search: { words: readonly string[]; exact: string } | null;
  /** only participants that have all these facets; server/directory/rules/facets.ts lists the possible facets */
  facets: readonly string[];
  updatedSince: Date | null;
};

export type ParticipantQuery = ParticipantFilter & {
  after: ParticipantPlace | null;
  order: "oldest" | "newest";
  limit: number;
};

/**
 * The filter as SQL. Its text differs with the filters in use, so that the database chooses between the index of the
 * facets and the order of the list. `name` is a suffix for the name of the statement.
 */
const filterSql = ({ search, facets, updatedSince }: ParticipantFilter) => {
  const values: SqlValue[] = [updatedSince];
  // Matches are looked up by id: in list order, a search with few matches would read the whole table.
  if (search) values.push(search.words.map((word) => `${word}:*`).join(" & "), search.exact);
  if (facets.length > 0) values.push(facets);
  return {
    name: `${search ? "_found" : ""}${facets.length > 0 ? "_with_facets" : ""}`,
    from: `${search ? found : "participant p"} LEFT JOIN merchant m ON m.id = p.merchant_id`,
    where: `p.updated_at >= coalesce($1::timestamptz, '-infinity')${facets.length > 0 ? ` AND p.facets @> $${values.length}::text[]` : ""}`,
    values,
  };
};

const orders = {
  oldest: { compare: ">", first: "-infinity", direction: "ASC" },
  newest: { compare: "<", first: "infinity", direction: "DESC" },
} as const;

/** The number of participants, up to `atMost`. */
export const countParticipants = async (sql: Sql, filter: ParticipantFilter, atMost: number): Promise<number> => {
  const { name, from: source, where, values } = filterSql(filter);
  const counting = statement<{ count: number }>(
    `count_participants${name}`,
    `SELECT count(*)::int AS count FROM (SELECT FROM ${source} WHERE ${where} LIMIT $${values.length + 1}::int) counted`,
  );
  return (await sql.query(counting, [...values, atMost]))[0]?.count ?? 0;
};

/**
 * In the order of the last change. A reader that starts with the oldest and continues from a cursor receives each
 * change. Returns `limit` + 1 if there are more.
 */
export const findParticipants = (sql: Sql, query: ParticipantQuery): Promise<ParticipantRow[]> => {
  const { after, order, limit } = query;
  const { name, from: source, where, values } = filterSql(query);
  const { compare, first, direction } = orders[order];
  const [at, id, count] = [1, 2, 3].map((place) => `$${values.length + place}`);
  const list = statement<ParticipantRow>(
    `list_${order}_participants${name}`,
    `SELECT ${columns} FROM ${source} WHERE ${where}
        AND (p.updated_at, p.id) ${compare} (coalesce(${at}::timestamptz, '${first}'), coalesce(${id}::text, ''))
      ORDER BY p.updated_at ${direction}, p.id ${direction} LIMIT ${count}::int`,
  );
  return sql.query(list, [...values, after?.updatedAt ?? null, after?.id ?? null, limit + 1]);
};
