import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { type Sql, statement } from "../client.ts";

/** A mandate that is active or suspended. */
export type LiveMandate = {
  id: string;
  version: number;
  state: "active" | "suspended";
  paymentMethodId: string | null;
  budgetVisible: boolean;
  /** as granted, `identifier` included */
  details: AuthorizationDetails;
};

export type ManagedGrant = {
  id: string;
  payerId: string;
  /** granted scopes that the client still registers (RFC 7592 §2.2) */
  scopes: string[];
  createdAt: Date;
  /** the payer's last consent */
  consentedAt: Date;
  /** the last consent, change of a mandate's details, or end of a mandate */
  changedAt: Date;
  expiresAt: Date;
  mandates: LiveMandate[];
};

/** SQL: the JSON of one `LiveMandate`, and which mandates are live at `$3`. */
const liveMandateJson = `json_build_object('id', m.id, 'version', m.version, 'state', m.state, 'paymentMethodId', m.payment_method_id,
       'budgetVisible', m.budget_visible, 'details', m.details || jsonb_build_object('identifier', m.id))`;
const isLive = "m.state IN ('active', 'suspended') AND m.valid_until > $3::timestamptz";

const selectGrant = statement<Omit<ManagedGrant, "mandates"> & { mandates: LiveMandate[] | null }>(
  "find_managed_grant",
  `SELECT g.id, g.payer_id AS "payerId", ARRAY(SELECT scope FROM unnest(g.scopes) AS scope WHERE scope = ANY (c.scopes)) AS scopes, g.created_at AS "createdAt",
     coalesce(g.replaced_at, g.created_at) AS "consentedAt",
     greatest(coalesce(g.replaced_at, g.created_at), max(m.ended_at),
       (SELECT max(v.created_at) FROM mandate_version v JOIN mandate o ON o.id = v.mandate_id WHERE o.grant_id = g.id)) AS "changedAt",
     max(m.valid_until) FILTER (WHERE live.is_so) AS "expiresAt",
     json_agg(${liveMandateJson} ORDER BY m.created_at, m.id) FILTER (WHERE live.is_so) AS mandates
   FROM "grant" g JOIN client c ON c.id = g.client_id JOIN mandate m ON m.grant_id = g.id,
     LATERAL (SELECT ${isLive} AS is_so) live
   WHERE g.id = $1 AND g.client_id = $2 AND g.ended_at IS NULL
   GROUP BY g.id, c.id`,
);

/**
 * A client's own grant with its live mandates, in one statement.
 * @returns null if the grant is unknown or another client's, if it has ended, or if its last mandate has expired.
 */
export const findManagedGrant = async (
  sql: Sql,
  input: { grantId: string; clientId: string; at: BusinessTime },
): Promise<ManagedGrant | null> => {
  const [row] = await sql.query(selectGrant, [input.grantId, input.clientId, input.at]);
  return row?.mandates ? { ...row, mandates: row.mandates } : null;
};

type GrantOfClient = { id: string; payerId: string; endedAt: Date | null; mandates: LiveMandate[] };

const selectGrantOfClient = statement<GrantOfClient>(
  "find_grant_of_client",
  `SELECT g.id, g.payer_id AS "payerId", g.ended_at AS "endedAt",
     coalesce((SELECT json_agg(${liveMandateJson} ORDER BY m.created_at, m.id)
                 FROM mandate m WHERE m.grant_id = g.id AND ${isLive}), '[]') AS mandates
   FROM "grant" g WHERE g.id = $1 AND g.client_id = $2`,
);

/** One client's own grant, ended or not, with its live mandates. @returns null if the client has no such grant. */
export const findGrantOfClient = async (
  sql: Sql,
  input: { grantId: string; clientId: string; at: BusinessTime },
): Promise<GrantOfClient | null> =>
  (await sql.query(selectGrantOfClient, [input.grantId, input.clientId, input.at]))[0] ?? null;

const lockGrant = statement<{ endedAt: Date | null }>(
  "lock_grant_of_client",
  `SELECT ended_at AS "endedAt" FROM "grant" WHERE id = $1 AND client_id = $2 FOR NO KEY UPDATE`,
);

/**
 * Locks the grant, which is first in the lock order (docs/adr/007-lock-order.md). @returns null if the client has no
 * such grant.
 */
export const lockGrantOfClient = async (
  sql: Sql,
  input: { grantId: string; clientId: string },
): Promise<{ endedAt: Date | null } | null> => (await sql.query(lockGrant, [input.grantId, input.clientId]))[0] ?? null;
