import { type Sql, statement } from "../client.ts";

const names = statement<{ id: string; name: string }>(
  "list_merchant_actor_names",
  `SELECT a.id, a.display_name AS name FROM merchant_member r JOIN account a ON a.id = r.account_id
    WHERE r.merchant_id = $1 AND a.id = ANY ($2::text[])
   UNION ALL SELECT c.id, c.name FROM client c WHERE c.merchant_id = $1 AND c.id = ANY ($2::text[])`,
);

/** The names of those ids that belong to members or clients of the merchant. Other ids are left out. */
export const listActorNames = async (
  sql: Sql,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  ids.length === 0 ? new Map() : new Map((await sql.query(names, [merchantId, ids])).map(({ id, name }) => [id, name]));
