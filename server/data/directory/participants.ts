import { type Sql, statement } from "../client.ts";

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
  /** union over its live clients */
  grantTypes: string[];
  detailsTypes: string[];
  /** whether each live client binds its tokens */
  dpopBound: boolean;
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
       ARRAY(SELECT DISTINCT unnest(c.grant_types) ${ofClients} ORDER BY 1) AS "grantTypes",
       ARRAY(SELECT DISTINCT jsonb_array_elements_text(CASE jsonb_typeof(${detailsTypes}) WHEN 'array' THEN ${detailsTypes} ELSE '[]' END)
             ${ofClients} ORDER BY 1) AS "detailsTypes",
       coalesce((SELECT bool_and(c.dpop_bound) ${ofClients}), false) AS "dpopBound"`;

const from = "FROM participant p LEFT JOIN merchant m ON m.id = p.merchant_id";

const find = statement<ParticipantRow>("find_participant", `SELECT ${columns} ${from} WHERE p.id = $1`);

export const findParticipant = async (sql: Sql, id: string): Promise<ParticipantRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const page = `AND ($1::text IS NULL OR $1::text = ANY (p.roles)) AND ($2::text IS NULL OR ${participantStatus} = $2::text)
    AND p.updated_at >= coalesce($3::timestamptz, '-infinity')
    AND (p.updated_at, p.id) > (coalesce($4::timestamptz, '-infinity'), coalesce($5::text, ''))
  ORDER BY p.updated_at, p.id LIMIT $6::int`;

const list = statement<ParticipantRow>("list_participants", `SELECT ${columns} ${from} WHERE true ${page}`);

// Matches are looked up by id: in list order, a search with few matches would read the whole table.
const search = statement<ParticipantRow>(
  "search_participants",
  `SELECT ${columns}
     FROM (
      SELECT s.id FROM participant s
       WHERE to_tsvector('simple'::regconfig, s.display_name || ' ' || coalesce(s.legal_name, '')) @@ to_tsquery('simple'::regconfig, $7::text)
      UNION SELECT s.id FROM participant s WHERE s.id = $8::text
      UNION SELECT s.id FROM participant s WHERE s.merchant_id = $8::text
      UNION SELECT c.participant_id FROM client c WHERE c.id = $8::text AND c.deleted_at IS NULL
      UNION SELECT d.participant_id FROM participant_domain d WHERE d.domain = lower($8::text) AND d.verified_at IS NOT NULL
     ) found JOIN LATERAL (SELECT * FROM participant WHERE id = found.id OFFSET 0) p ON true
     LEFT JOIN merchant m ON m.id = p.merchant_id
    WHERE true ${page}`,
);

export type ParticipantPlace = { updatedAt: Date; id: string };

export type ParticipantQuery = {
  /** null: all */
  search: { words: readonly string[]; exact: string } | null;
  role: string | null;
  status: string | null;
  updatedSince: Date | null;
  after: ParticipantPlace | null;
  limit: number;
};

/**
 * In the order of the last change, so that a reader that continues from a cursor receives each change. Returns `limit`
 * + 1 if there are more.
 */
export const findParticipants = (sql: Sql, query: ParticipantQuery): Promise<ParticipantRow[]> => {
  const { search: searched, role, status, updatedSince, after, limit } = query;
  const values = [role, status, updatedSince, after?.updatedAt ?? null, after?.id ?? null, limit + 1];
  if (searched === null) return sql.query(list, values);
  const beginnings = searched.words.map((word) => `${word}:*`).join(" & ");
  return sql.query(search, [...values, beginnings, searched.exact]);
};
