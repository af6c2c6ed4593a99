import { type Sql, statement } from "../client.ts";
import type { MailAddressee } from "../mail/recipients.ts";

/** The details that a person enters to register a merchant. */
export type MerchantDetails = {
  legalName: string;
  displayName: string;
  country: string;
  websiteUri: string;
  mcc: string;
  currency: string;
  timeZone: string;
};

export type RegisteredMerchant = MerchantDetails & {
  id: string;
  creationKey: string;
  processor: string;
  processorAccount: string;
  chargesEnabled: boolean;
  review: "pending" | "approved";
  at: Date;
};

const insert = statement<{ id: string }>(
  "insert_registered_merchant",
  `INSERT INTO merchant (id, creation_key, legal_name, display_name, country, website_uri, mcc, currency, time_zone,
     processor, processor_account, charges_enabled, review, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::boolean, $13::merchant_review, $14::timestamptz)
   ON CONFLICT (creation_key) DO NOTHING RETURNING id`,
);

const findByKey = statement<{ id: string }>(
  "find_merchant_by_creation_key",
  "SELECT id FROM merchant WHERE creation_key = $1",
);

/** Inserts one merchant per creation key. @returns the merchant's id: the new one, or the one that exists. */
export const insertRegisteredMerchant = async (
  sql: Sql,
  merchant: RegisteredMerchant,
): Promise<{ id: string; isNew: boolean }> => {
  const { id, creationKey, legalName, displayName, country, websiteUri, mcc, currency, timeZone } = merchant;
  const { processor, processorAccount, chargesEnabled, review, at } = merchant;
  const details = [legalName, displayName, country, websiteUri, mcc, currency, timeZone];
  const state = [processor, processorAccount, chargesEnabled, review, at];
  if ((await sql.query(insert, [id, creationKey, ...details, ...state])).length === 1) return { id, isNew: true };
  const [known] = await sql.query(findByKey, [creationKey]);
  if (!known) throw new Error("a merchant with this creation key exists but wasn't found");
  return { id: known.id, isNew: false };
};

/** The id of the merchant with this creation key; null if there is none. */
export const findMerchantIdByCreationKey = async (sql: Sql, creationKey: string): Promise<string | null> =>
  (await sql.query(findByKey, [creationKey]))[0]?.id ?? null;

const countOwned = statement<{ owned: number; pending: number }>(
  "count_owned_merchants",
  `SELECT count(*)::int AS owned, count(*) FILTER (WHERE m.review = 'pending')::int AS pending
     FROM merchant_member r JOIN merchant m ON m.id = r.merchant_id WHERE r.account_id = $1 AND r.role = 'owner'`,
);

export const countOwnedMerchants = async (sql: Sql, accountId: string): Promise<{ owned: number; pending: number }> =>
  (await sql.query(countOwned, [accountId]))[0] ?? { owned: 0, pending: 0 };

const setReview = statement<{ id: string }>(
  "set_merchant_review",
  `UPDATE merchant SET review = $2::merchant_review, review_reason = $3, reviewed_at = $4::timestamptz
    WHERE id = $1 AND review = ANY ($5::merchant_review[]) RETURNING id`,
);

/**
 * @param change.from the review states in which the change is allowed.
 * @returns false if the merchant is in another review state.
 */
export const updateMerchantReview = async (
  sql: Sql,
  id: string,
  change: {
    review: "approved" | "declined";
    from: readonly ("pending" | "declined")[];
    reason: string | null;
    at: Date;
  },
): Promise<boolean> =>
  (await sql.query(setReview, [id, change.review, change.reason, change.at, change.from])).length === 1;

const owners = statement<MailAddressee>(
  "list_merchant_owners",
  `SELECT a.email, a.time_zone AS "timeZone" FROM merchant_member m JOIN account a ON a.id = m.account_id
    WHERE m.merchant_id = $1 AND m.role = 'owner' ORDER BY 1`,
);

export const listMerchantOwners = (sql: Sql, id: string): Promise<MailAddressee[]> => sql.query(owners, [id]);
