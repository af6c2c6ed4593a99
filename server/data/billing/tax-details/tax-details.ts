import { type Sql, statement } from "../../client.ts";

/** The merchant as the customer of invoices. */
export type TaxDetailsRow = {
  version: number;
  legalName: string;
  line1: string;
  line2: string | null;
  postalCode: string | null;
  city: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  vatNumber: string | null;
  /** key of the catalogue's tax rates; null until it is decided */
  taxRegion: string | null;
  createdAt: Date;
};

const find = statement<TaxDetailsRow>(
  "find_tax_details",
  `SELECT version, legal_name AS "legalName", line1, line2, postal_code AS "postalCode", city, country, vat_number AS "vatNumber",
     tax_region AS "taxRegion", created_at AS "createdAt"
   FROM billing_tax_details WHERE merchant_id = $1 ORDER BY version DESC LIMIT 1`,
);

/** The newest version. */
export const findTaxDetails = async (sql: Sql, merchantId: string): Promise<TaxDetailsRow | null> =>
  (await sql.query(find, [merchantId]))[0] ?? null;

const insert = statement<never>(
  "insert_tax_details",
  `INSERT INTO billing_tax_details (merchant_id, version, legal_name, line1, line2, postal_code, city, country, vat_number, tax_region, created_at)
   VALUES ($1, $2::int, $3, $4, $5, $6, $7, $8, $9, $10, $11::timestamptz)`,
);

export const insertTaxDetails = async (sql: Sql, merchantId: string, details: TaxDetailsRow): Promise<void> => {
  const { version, legalName, line1, line2, postalCode, city, country, vatNumber, taxRegion, createdAt } = details;
  const place = [line1, line2, postalCode, city, country];
  await sql.query(insert, [merchantId, version, legalName, ...place, vatNumber, taxRegion, createdAt]);
};
