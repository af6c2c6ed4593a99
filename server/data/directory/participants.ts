import type { HealthDay } from "../../directory/rules/health.ts";
import type { StatedCapabilities } from "../../directory/rules/stated-capabilities.ts";
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
  /** when an operator suspended the entry itself; null: not suspended, or only its merchant is */
  suspendedAt: Date | null;
  /** whether it or its merchant is suspended, even if the status is withdrawn */
  isSuspended: boolean;
  /** of an authorization server that an operator listed; null for every other entry */
  issuer: string | null;
  /** sorted by currency, in minor units */
  maxChargeAmounts: { currency: string; amount: number }[];
  /** null: the environment of the directory */
  environment: "production" | "sandbox" | null;
  /** of a listed authorization server, from its metadata */
  statedCapabilities: StatedCapabilities | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  verifiedDomains: { domain: string; verifiedAt: string }[];
  /** null: none is registered */
  federationEntity: { entityId: string; keyThumbprints: string[] } | null;
  /** URLs of its metadata documents (RFC 8414, RFC 9728), sorted */
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
  /** whether each live client binds its tokens; false if there is no live client */
  dpopBound: boolean;
  /** of its merchant */
  currency: string | null;
};

/** Whether `p` or its merchant `m` is suspended, even if `p` is withdrawn. */
export const participantSuspended = "(p.suspended_at IS NOT NULL OR m.suspended_at IS NOT NULL)";

/**
 * The status of `p`, with its merchant as `m`: the entry of a suspended merchant is suspended immediately. An operator
 * can also suspend the entry alone. Domains are counted because for EXISTS, PostgreSQL may read the verified domains of
 * all participants.
 */
export const participantStatus = `CASE WHEN p.withdrawn_at IS NOT NULL THEN 'withdrawn'
       WHEN ${participantSuspended} THEN 'suspended'
       WHEN 'authorization_server' = ANY (p.roles)
         OR (SELECT count(d.verified_at) FROM participant_domain d WHERE d.participant_id = p.id) > 0 THEN 'active'
       ELSE 'pending' END`;

const ofClients = "FROM client c WHERE c.participant_id = p.id AND c.deleted_at IS NULL";
const detailsTypes = "c.metadata -> 'authorization_details_types'";

/** Columns of `ParticipantRow`, of a participant `p` with its merchant as `m`. */
export const participantColumns = `p.id, coalesce(p.roles, '{}') AS roles, p.merchant_id AS "merchantId", p.display_name AS "displayName",
       p.legal_name AS "legalName", p.website_uri AS "websiteUri", p.logo_uri AS "logoUri",
       coalesce(p.contacts, '{}') AS contacts, coalesce(p.contact_salts, '{}') AS "contactSalts", ${participantStatus} AS status, p.suspended_at AS "suspendedAt",
       ${participantSuspended} AS "isSuspended",
       coalesce(p.max_charge_amounts, '[]') AS "maxChargeAmounts", p.issuer, p.environment, p.stated_capabilities AS "statedCapabilities", p.version, p.created_at AS "createdAt",
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
  `SELECT ${participantColumns} FROM participant p LEFT JOIN merchant m ON m.id = p.merchant_id WHERE p.id = $1`,
);

export const findParticipant = async (sql: Sql, id: string): Promise<ParticipantRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;
