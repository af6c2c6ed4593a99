import { type Sql, statement } from "../client.ts";

/** A search by the start of a reference reads at most this many charges. A longer text matches fewer charges. */
const maxPrefixMatches = 1_000;

/** `text` and `merchantId` are parameters. `operator` decides whether the text itself matches. */
type Prefix = { text: string; merchantId?: string | undefined; operator: "~>~" | "~>=~" };

/** These operators compare bytes, as the indexes on references do. */
const startsWithText = ({ text, merchantId, operator }: Prefix): string =>
  `${merchantId === undefined ? "" : `merchant_id = ${merchantId}::text AND `}reference ${operator} ${text}::text
     AND reference ~<~ (${text}::text || chr(1114111)) ORDER BY reference USING ~<~, created_at, id`;

/**
 * A subquery with the charges whose reference starts with the text and is longer. Its limit applies before other
 * filters, so that they don't make the search read further.
 */
export const chargesWithPrefix = (prefix: Omit<Prefix, "operator">): string =>
  `(SELECT * FROM charge WHERE ${startsWithText({ ...prefix, operator: "~>~" })} LIMIT ${maxPrefixMatches})`;

/** @param merchantId null: charges of all merchants */
type Search = { text: string; merchantId: string | null };

const beyond = (merchantId?: string): string =>
  `SELECT 1 FROM charge WHERE ${startsWithText({ text: "$1", merchantId, operator: "~>~" })}
     OFFSET ${maxPrefixMatches} LIMIT 1`;
const moreOfAll = statement("has_more_references_with_prefix", beyond());
const moreOfMerchant = statement("has_more_references_of_merchant", beyond("$2"));

/** Whether `chargesWithPrefix` leaves out charges because of its limit. */
export const hasMorePrefixMatches = async (sql: Sql, { text, merchantId }: Search): Promise<boolean> => {
  const rows =
    merchantId === null ? await sql.query(moreOfAll, [text]) : await sql.query(moreOfMerchant, [text, merchantId]);
  return rows.length > 0;
};

const ids = (merchantId?: string): string =>
  `SELECT id FROM charge WHERE ${startsWithText({ text: "$1", merchantId, operator: "~>=~" })}
     LIMIT ${maxPrefixMatches + 1}`;
const idsOfAll = statement<{ id: string }>("find_charges_with_prefix", ids());
const idsOfMerchant = statement<{ id: string }>("find_charges_of_merchant_with_prefix", ids("$2"));

/**
 * The first charges whose reference starts with the text, in the order of their references. `isCut`: there are more.
 */
export const findChargeIdsByReference = async (
  sql: Sql,
  { text, merchantId }: Search,
): Promise<{ chargeIds: string[]; isCut: boolean }> => {
  const rows =
    merchantId === null ? await sql.query(idsOfAll, [text]) : await sql.query(idsOfMerchant, [text, merchantId]);
  return { chargeIds: rows.slice(0, maxPrefixMatches).map(({ id }) => id), isCut: rows.length > maxPrefixMatches };
};
