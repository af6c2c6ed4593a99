import { type Sql, statement } from "../client.ts";
import { isPayable } from "../merchants/standing.ts";

/**
 * SQL: the domains of a directory entry that are verified now, as an array. The array is empty while the entry is
 * withdrawn or suspended, or its merchant may not be paid. @param id the entry's id, in the statement
 */
export const verifiedDomainsOf = (id: string): string =>
  `ARRAY(SELECT d.domain FROM participant_domain d JOIN participant e ON e.id = d.participant_id
           LEFT JOIN merchant o ON o.id = e.merchant_id
          WHERE d.participant_id = ${id} AND d.verified_at IS NOT NULL AND e.withdrawn_at IS NULL AND e.suspended_at IS NULL
            AND (o.id IS NULL OR (${isPayable("o")})) ORDER BY 1)`;

/** Who is behind a client, as the directory knows it now. */
export type ClientParty = {
  /** of the client's entry */
  displayName: string;
  /** the merchant of the entry; null if there is none */
  merchantId: string | null;
  /** verified domains of the entry */
  domains: string[];
};

const ofClient = statement<ClientParty>(
  "find_client_party",
  `SELECT p.display_name AS "displayName", p.merchant_id AS "merchantId", ${verifiedDomainsOf("p.id")} AS domains
     FROM client c JOIN participant p ON p.id = c.participant_id WHERE c.id = $1`,
);

/** @returns null for a client without an entry. */
export const findClientParty = async (sql: Sql, clientId: string): Promise<ClientParty | null> =>
  (await sql.query(ofClient, [clientId]))[0] ?? null;

/** The facts that decide whether a grant's client is verified. */
type GrantParty = {
  grantId: string;
  /** the redirect URI of the newest consent; for older grants without this record, all redirect URIs of the client */
  redirectUris: string[];
  /** verified domains of the client's entry */
  domains: string[];
};

const ofGrants = statement<GrantParty>(
  "list_grant_parties",
  `SELECT g.id AS "grantId", ${verifiedDomainsOf("c.participant_id")} AS domains,
          CASE WHEN g.redirect_uri IS NULL THEN coalesce(c.redirect_uris, '{}') ELSE ARRAY[g.redirect_uri] END AS "redirectUris"
     FROM "grant" g JOIN client c ON c.id = g.client_id WHERE g.id = ANY ($1::text[])`,
);

/** One row for each grant. */
export const listGrantParties = async (sql: Sql, grantIds: readonly string[]): Promise<GrantParty[]> =>
  grantIds.length === 0 ? [] : sql.query(ofGrants, [grantIds]);
