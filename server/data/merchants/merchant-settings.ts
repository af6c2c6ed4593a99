import type { SettingValues } from "../../merchants/rules/settings.ts";
import { type Sql, statement } from "../client.ts";

export type MerchantSettingsRow = SettingValues & { review: "pending" | "approved" | "declined" };

const columns = `m.legal_name AS "legalName", m.display_name AS "displayName", m.country, m.website_uri AS "websiteUri",
  m.mcc, m.currency, m.time_zone AS "timeZone", m.statement_descriptor AS "statementDescriptor",
  m.accent_color AS "accentColor", m.review::text AS review`;

const find = statement<MerchantSettingsRow>(
  "find_merchant_settings",
  `SELECT ${columns} FROM merchant m WHERE m.id = $1 AND NOT m.is_probe`,
);

export const findMerchantSettings = async (sql: Sql, id: string): Promise<MerchantSettingsRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const lock = statement<MerchantSettingsRow>(
  "lock_merchant_settings",
  `SELECT ${columns} FROM merchant m WHERE m.id = $1 AND NOT m.is_probe FOR NO KEY UPDATE`,
);

/** Takes the same lock as `lockMerchant`: one transaction at a time has it. */
export const lockMerchantSettings = async (sql: Sql, id: string): Promise<MerchantSettingsRow | null> =>
  (await sql.query(lock, [id]))[0] ?? null;

const update = statement<never>(
  "update_merchant_settings",
  `UPDATE merchant SET legal_name = $2, display_name = $3, country = $4, website_uri = $5, mcc = $6, currency = $7,
          time_zone = $8, statement_descriptor = $9, accent_color = $10 WHERE id = $1`,
);

/** Call it in the transaction that locked the settings. */
export const updateMerchantSettings = async (sql: Sql, id: string, values: SettingValues): Promise<void> => {
  const { legalName, displayName, country, websiteUri, mcc, currency, timeZone } = values;
  const details = [legalName, displayName, country, websiteUri, mcc, currency, timeZone];
  await sql.query(update, [id, ...details, values.statementDescriptor, values.accentColor]);
};
