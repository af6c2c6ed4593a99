import { type Sql, statement } from "../client.ts";
import { isPayable } from "./standing.ts";

export type MerchantLogo = { mediaType: string; content: Buffer };

type FoundLogo = MerchantLogo & {
  /** whether payers may see it: they see no logo of a merchant that isn't approved, or that is suspended */
  isPublic: boolean;
};

const find = statement<FoundLogo>(
  "find_merchant_logo",
  `SELECT l.media_type AS "mediaType", l.content, (${isPayable("m")}) AS "isPublic"
     FROM merchant_logo l JOIN merchant m ON m.id = l.merchant_id WHERE l.merchant_id = $1 AND l.hash = $2`,
);

/** @returns null if the merchant has no logo with this hash, for example if the logo was replaced. */
export const findMerchantLogo = async (
  sql: Sql,
  { merchantId, hash }: { merchantId: string; hash: string },
): Promise<FoundLogo | null> => (await sql.query(find, [merchantId, hash]))[0] ?? null;

const current = statement<{ hash: string }>(
  "find_merchant_logo_hash",
  "SELECT hash FROM merchant_logo WHERE merchant_id = $1",
);

export const findMerchantLogoHash = async (sql: Sql, merchantId: string): Promise<string | null> =>
  (await sql.query(current, [merchantId]))[0]?.hash ?? null;

const put = statement<never>(
  "put_merchant_logo",
  `INSERT INTO merchant_logo (merchant_id, hash, media_type, content, created_at)
   VALUES ($1, $2, $3, decode($4, 'base64'), $5::timestamptz)
   ON CONFLICT (merchant_id) DO UPDATE
     SET hash = excluded.hash, media_type = excluded.media_type, content = excluded.content,
         created_at = excluded.created_at`,
);

export const putMerchantLogo = async (
  sql: Sql,
  merchantId: string,
  { hash, mediaType, content, at }: MerchantLogo & { hash: string; at: Date },
): Promise<void> => {
  await sql.query(put, [merchantId, hash, mediaType, content.toString("base64"), at]);
};

const remove = statement<never>("delete_merchant_logo", "DELETE FROM merchant_logo WHERE merchant_id = $1");

export const deleteMerchantLogo = async (sql: Sql, merchantId: string): Promise<void> => {
  await sql.query(remove, [merchantId]);
};
