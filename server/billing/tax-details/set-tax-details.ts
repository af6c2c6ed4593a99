import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findTaxRateRow } from "../../data/billing/catalogue/tax-rates.ts";
import { lockInvoicingOf } from "../../data/billing/invoices/write-invoice.ts";
import { findTaxDetails, insertTaxDetails, type TaxDetailsRow } from "../../data/billing/tax-details/tax-details.ts";
import { requestVatCheck } from "../../data/billing/tax-details/vat-checks.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { isInVies, normalizeVatNumber, vatNumberProblem } from "../../kernel/billing/vat-number.ts";
import { DomainError, fieldRefusal, sentenceRefusal } from "../../kernel/errors.ts";
import { isCountry } from "../../kernel/text/countries.ts";
import { getLockedMerchant } from "../../merchants/get-locked-merchant.ts";

type Details = Omit<TaxDetailsRow, "version" | "taxRegion" | "createdAt">;

type Input = Details & {
  merchantId: string;
  /**
   * operators only: key of the catalogue's tax rates. Default: the current region if the country is unchanged;
   * otherwise the country's region, if there is one
   */
  taxRegion?: string;
  /** version of the details that the caller saw, 0 for none; absent: any */
  seenVersion?: number;
  actor: Actor;
  requestId: string;
};

/**
 * Stores a new version of a merchant's tax details; equal details change nothing. Invoices that are already final keep
 * their details (docs/spec/billing.md, Tax details).
 * @throws DomainError not_found; conflict tax_details_changed; invalid, naming the field.
 */
export const setTaxDetails = async (
  { db, clock, businessClock }: Pick<Deps, "db" | "clock" | "businessClock">,
  { merchantId, taxRegion, seenVersion, actor, requestId, ...fields }: Input,
): Promise<{ version: number; taxRegion: string | null }> => {
  const details = readDetails(fields);
  return db.sqlTransaction(async (sql) => {
    await getLockedMerchant(sql, merchantId);
    // An invoice reads the details twice: for its tax and for its buyer. Both must be of the same version.
    await lockInvoicingOf(sql, merchantId);
    const at = await businessClock.now();
    const current = await findTaxDetails(sql, merchantId);
    if (seenVersion !== undefined && seenVersion !== (current?.version ?? 0)) throw changedRefusal();
    const region = await decideRegion(sql, { taxRegion, country: details.country, current });
    const next = { ...details, taxRegion: region };
    if (current && isSame(current, next)) return { version: current.version, taxRegion: region };
    const version = (current?.version ?? 0) + 1;
    await insertTaxDetails(sql, merchantId, { ...next, version, createdAt: at });
    const { vatNumber, country } = details;
    const checked = vatNumber !== null && isInVies(vatNumber, country) ? vatNumber : null;
    await requestVatCheck(sql, merchantId, { vatNumber: checked, at: clock.now() });
    // Names and addresses aren't written to the audit log.
    const data = { version, country, tax_region: region };
    const action = "merchant.tax_details_changed";
    await appendAudit(sql, { at, actor, requestId, action, subjectId: merchantId, data });
    return { version, taxRegion: region };
  });
};

const changedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "tax_details_changed",
    message:
      "Someone else changed the tax details. Check your entries, and save again to replace the other person’s changes.",
  });

const maximum = { legalName: 200, line1: 200, line2: 200, postalCode: 20, city: 100 } as const;

const missing = { legalName: "Enter the legal name.", line1: "Enter the address.", city: "Enter the city." } as const;

/** @throws DomainError of the first invalid field. */
const readDetails = (fields: Details): Details => {
  const text = (name: keyof typeof maximum): string | null => {
    const value = fields[name]?.trim() ?? "";
    if (value.length > maximum[name]) throw fieldRefusal(`/${name}`, `must be at most ${maximum[name]} characters`);
    return value === "" ? null : value;
  };
  const required = (name: keyof typeof missing): string => text(name) ?? refuseField(name, missing[name]);
  const { country } = fields;
  if (!isCountry(country)) throw sentenceRefusal("/country", "Choose a country.");
  const vatNumber = fields.vatNumber === null ? "" : normalizeVatNumber(fields.vatNumber, country);
  const problem = vatNumber === "" ? null : vatNumberProblem(vatNumber, country);
  if (problem) throw sentenceRefusal("/vatNumber", problem);
  return {
    legalName: required("legalName"),
    line1: required("line1"),
    line2: text("line2"),
    postalCode: text("postalCode"),
    city: required("city"),
    country,
    vatNumber: vatNumber === "" ? null : vatNumber,
  };
};

const refuseField = (name: string, message: string): never => {
  throw sentenceRefusal(`/${name}`, message);
};

type Region = { taxRegion: string | undefined; country: string; current: TaxDetailsRow | null };

/** A region that an operator set is kept until the country changes. */
const decideRegion = async (sql: Sql, { taxRegion, country, current }: Region): Promise<string | null> => {
  if (taxRegion !== undefined) {
    if (await findTaxRateRow(sql, taxRegion)) return taxRegion;
    throw fieldRefusal("/taxRegion", "must be a key of the catalogue's tax rates");
  }
  if (current?.taxRegion && current.country === country) return current.taxRegion;
  return (await findTaxRateRow(sql, country))?.key ?? null;
};

const isSame = (current: TaxDetailsRow, next: Details & { taxRegion: string | null }): boolean =>
  (Object.keys(next) as (keyof typeof next)[]).every((name) => current[name] === next[name]);
