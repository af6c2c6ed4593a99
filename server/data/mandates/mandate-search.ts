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

const search = statement<FoundMandate>(
  "search_mandates",
  `SELECT m.id, m.state::text AS state, m.purpose, c.name AS "clientName", a.email AS "payerEmail",
          m.valid_until AS "validUntil", m.created_at AS "createdAt"
     FROM mandate m JOIN client c ON c.id = m.client_id JOIN account a ON a.id = m.payer_id
    WHERE (m.id = $1 OR m.client_id = $1 OR m.payer_id = $1
           OR m.payer_id = (SELECT o.id FROM account o WHERE o.email = lower($1)))
      AND m.state <> 'rejected'
      AND ($2::text IS NULL OR (m.created_at, m.id) < (SELECT p.created_at, p.id FROM mandate p WHERE p.id = $2))
    ORDER BY m.created_at DESC, m.id DESC LIMIT $3::int`,
);

/**
 * Newest first. Returns `limit` + 1 if there are more.
 * @param search an id of mandate, client or payer, or the payer's e-mail address.
 */
export const findMandatesForOperator = (
  sql: Sql,
  page: { search: string; startingAfter: string | null; limit: number },
): Promise<FoundMandate[]> => sql.query(search, [page.search, page.startingAfter, page.limit + 1]);

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

/** @returns the mandate's owner, null if there is no such mandate. */
export const findMandateHolder = async (sql: Sql, mandateId: string): Promise<MandateHolder | null> =>
  (await sql.query(holder, [mandateId]))[0] ?? null;
