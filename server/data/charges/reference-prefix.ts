import { type Sql, statement } from "../client.ts";

/** A search by the start of a reference reads at most this many charges. A longer text matches fewer charges. */
const maxPrefixMatches = 1_000;

/** `~>~` and `~<~` compare bytes, in the order of the indexes on references. `text` and `merchantId` are parameters. */
const startsWithText = ({ text, merchantId }: Prefix): string =>
  `${merchantId === undefined ? "" : `merchant_id = ${merchantId}::text AND `}reference ~>~ ${text}::text
     AND reference ~<~ (${text}::text || chr(1114111)) ORDER BY reference USING ~<~, created_at, id`;

type Prefix = { text: string; merchantId?: string };

/**
 * A subquery with the charges whose reference starts with the text and is longer. Its limit applies before other
 * filters, so that they don't make the search read further.
 */
export const chargesWithPrefix = (prefix: Prefix): string =>
  `(SELECT * FROM charge WHERE ${startsWithText(prefix)} LIMIT ${maxPrefixMatches})`;

const beyond = (prefix: Prefix): string =>
  `SELECT 1 FROM charge WHERE ${startsWithText(prefix)} OFFSET ${maxPrefixMatches} LIMIT 1`;

const ofAll = statement("has_more_references_with_prefix", beyond({ text: "$1" }));
const ofMerchant = statement("has_more_references_of_merchant", beyond({ text: "$1", merchantId: "$2" }));

/** Whether more references start with the text than a search reads. @param merchantId null: of all merchants */
export const hasMorePrefixMatches = async (
  sql: Sql,
  { text, merchantId }: { text: string; merchantId: string | null },
): Promise<boolean> => {
  const rows = merchantId === null ? await sql.query(ofAll, [text]) : await sql.query(ofMerchant, [text, merchantId]);
  return rows.length > 0;
};
