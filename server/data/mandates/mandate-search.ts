import { type Sql, statement } from "../client.ts";
import type { MandateState } from "./mandates.ts";

/** A mandate in the operators' search. */
export type FoundMandate = {
  id: string;
  state: MandateState;
  purpose: string;
  clientName: string;
  payerEmail: string;
  validUntil: Date;
  createdAt: Date;
};

const columns = `m.id, m.state::text AS state, m.purpose, c.name AS "clientName", a.email AS "payerEmail",
  m.valid_until AS "validUntil", m.created_at AS "createdAt"`;
const joins = "JOIN client c ON c.id = m.client_id JOIN account a ON a.id = m.payer_id";

const byId = statement<FoundMandate>(
  "find_mandate_for_operator",
  `SELECT ${columns} FROM mandate m ${joins} WHERE m.id = $1 AND m.state <> 'rejected'`,
);

export const findMandateForOperator = async (sql: Sql, id: string): Promise<FoundMandate | null> =>
  (await sql.query(byId, [id]))[0] ?? null;

/** The mandates of these payers or clients, and those that name these merchants or were charged by them. */
export type MandateOwners = {
  payerIds: readonly string[];
  clientIds: readonly string[];
  merchantIds: readonly string[];
};

const ofPayerOrClient = (column: string, ids: string): string =>
  `SELECT p.* FROM unnest(${ids}::text[]) AS o (id) CROSS JOIN LATERAL (
     SELECT m.id, m.created_at AS at FROM mandate m
      WHERE m.${column} = o.id AND m.state <> 'rejected' AND (m.created_at, m.id) < ($4::timestamptz, $5::text)
      ORDER BY m.created_at DESC, m.id DESC LIMIT $6::int) p`;

/**
 * A merchant's mandates are in the order in which the merchant received them. A mandate of several merchants is listed
 * once. The conditions are in a CASE, so that PostgreSQL expects most rows to meet them and reads in the order of the
 * index. `since + interval '0'` has no index, so PostgreSQL finds the mandate's other merchants by the primary key.
 */
const search = statement<FoundMandate>(
  "search_mandates",
  `SELECT ${columns} FROM (
     SELECT * FROM (
       ${ofPayerOrClient("payer_id", "$1")}
       UNION ALL
       ${ofPayerOrClient("client_id", "$2")}
       UNION ALL
       SELECT p.* FROM unnest($3::text[]) AS o (id) CROSS JOIN LATERAL (
         SELECT r.mandate_id, r.since FROM merchant_mandate r
          WHERE r.merchant_id = o.id
            AND CASE WHEN (SELECT payer_id FROM mandate m WHERE m.id = r.mandate_id) = ANY ($1) THEN false
                ELSE NOT EXISTS (SELECT FROM merchant_mandate n WHERE n.mandate_id = r.mandate_id
                  AND n.merchant_id = ANY ($3) AND (n.since + interval '0', n.merchant_id) > (r.since, r.merchant_id)) END
            AND (r.since, r.mandate_id) < ($4::timestamptz, $5::text)
          ORDER BY r.since DESC, r.mandate_id DESC LIMIT $6::int) p
     ) each ORDER BY at DESC, id DESC LIMIT $6::int
   ) f JOIN mandate m ON m.id = f.id ${joins} ORDER BY f.at DESC, f.id DESC`,
);

const place = statement<{ at: Date | null }>(
  "find_place_of_mandate",
  `SELECT CASE WHEN m.payer_id = ANY ($1::text[]) OR m.client_id = ANY ($2::text[]) THEN m.created_at
          ELSE (SELECT max(r.since) FROM unnest($3::text[]) AS o (id) CROSS JOIN LATERAL (
                  SELECT since FROM merchant_mandate WHERE merchant_id = o.id AND mandate_id = m.id LIMIT 1) r) END AS at
     FROM mandate m WHERE m.id = $4`,
);

/** Newest first, after the mandate `startingAfter`. Returns `limit` + 1 if there are more. */
export const searchMandatesOfOwners = async (
  sql: Sql,
  { payerIds, clientIds, merchantIds }: MandateOwners,
  { startingAfter, limit }: { startingAfter: string | null; limit: number },
): Promise<FoundMandate[]> => {
  const owners = [[...payerIds], [...clientIds], [...merchantIds]];
  if (startingAfter === null) return sql.query(search, [...owners, "infinity", "", limit + 1]);
  const at = (await sql.query(place, [...owners, startingAfter]))[0]?.at ?? null;
  return at === null ? [] : sql.query(search, [...owners, at, startingAfter, limit + 1]);
};

const newest = statement<FoundMandate>(
  "list_newest_mandates",
  `SELECT ${columns} FROM (
     SELECT n.id, n.created_at AS at FROM mandate n
      WHERE n.state <> 'rejected' AND (n.created_at, n.id) < ($1::timestamptz, $2::text)
        AND NOT EXISTS (SELECT FROM account a WHERE a.id = n.payer_id AND a.is_probe)
      ORDER BY n.created_at DESC, n.id DESC LIMIT $3::int
   ) f JOIN mandate m ON m.id = f.id ${joins} ORDER BY f.at DESC, f.id DESC`,
);

const createdAt = statement<{ at: Date }>(
  "find_mandate_creation",
  "SELECT created_at AS at FROM mandate WHERE id = $1",
);

/** The mandates of all payers, newest first, after the mandate `startingAfter`. Returns `limit` + 1 if there are more. */
export const listNewestMandates = async (
  sql: Sql,
  { startingAfter, limit }: { startingAfter: string | null; limit: number },
): Promise<FoundMandate[]> => {
  if (startingAfter === null) return sql.query(newest, ["infinity", "", limit + 1]);
  const at = (await sql.query(createdAt, [startingAfter]))[0]?.at ?? null;
  return at === null ? [] : sql.query(newest, [at, startingAfter, limit + 1]);
};

export type MandateAction = { at: Date; actorKind: string; actorId: string; action: string; data: unknown };

const acts = statement<MandateAction>(
  "find_mandate_acts",
  `SELECT at, actor_kind AS "actorKind", actor_id AS "actorId", action, data FROM audit_entry
    WHERE subject_id = $1 AND at >= $2::timestamptz AND (starts_with(action, 'mandate.') OR starts_with(action, 'credential.'))
    ORDER BY at DESC, seq DESC LIMIT $3::int`,
);

/**
 * Actions on the mandate, newest first. Refused payments are left out, because merchants can cause any number of them.
 */
export const findMandateActs = (
  sql: Sql,
  mandate: { id: string; createdAt: Date },
  limit: number,
): Promise<MandateAction[]> => sql.query(acts, [mandate.id, mandate.createdAt, limit]);

export type MandateHolder = { id: string; email: string };

const holder = statement<MandateHolder>(
  "find_mandate_holder",
  "SELECT a.id, a.email FROM mandate m JOIN account a ON a.id = m.payer_id WHERE m.id = $1",
);

/** @returns the mandate's payer, null if there is no such mandate. */
export const findMandateHolder = async (sql: Sql, mandateId: string): Promise<MandateHolder | null> =>
  (await sql.query(holder, [mandateId]))[0] ?? null;
