import { type Sql, statement } from "../../client.ts";

/**
 * An amount that an invoice took from a grant. A void invoice gives the amount back, as a negative use. When a grant
 * expires, the rest of it is recorded as a use without an invoice.
 */
export type GrantUse = {
  grantId: string;
  amount: bigint;
  usedAt: Date;
  invoiceId: string | null;
  invoiceNumber: string | null;
};

const find = statement<GrantUse>(
  "list_uses_of_credits",
  `SELECT g.id AS "grantId", u.amount, u.used_at AS "usedAt", u.invoice_id AS "invoiceId", i.number AS "invoiceNumber"
     FROM unnest($1::text[]) AS g (id)
    CROSS JOIN LATERAL (SELECT * FROM billing_credit_use WHERE grant_id = g.id ORDER BY number DESC LIMIT $2::int) u
     LEFT JOIN billing_invoice i ON i.id = u.invoice_id
    ORDER BY g.id, u.number DESC`,
);

/** The uses of each grant, newest first, at most `limit`. */
export const findUsesOfGrants = (sql: Sql, grantIds: readonly string[], limit: number): Promise<GrantUse[]> =>
  grantIds.length === 0 ? Promise.resolve([]) : sql.query(find, [grantIds, limit]);
