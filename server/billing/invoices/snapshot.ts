import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { InvoiceLineRow } from "../../data/billing/invoices/lines.ts";
import type { TaxDetailsRow } from "../../data/billing/tax-details/tax-details.ts";
import type { BillingIssuer } from "../../kernel/billing/party.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { toInvoiceObject } from "./invoice.wire.ts";
import { toInvoiceDocument } from "./to-document.ts";

/** `buyer` is null without tax details. */
export type InvoiceParties = { seller: BillingIssuer; buyer: TaxDetailsRow | null };

/** The invoice as issued, with its parties. Later changes to the merchant don't affect it. */
export const makeSnapshot = (
  invoice: InvoiceRow,
  lines: readonly InvoiceLineRow[],
  { seller, buyer }: InvoiceParties,
): JsonObject => ({
  seller: {
    name: seller.name,
    line1: seller.line1,
    line2: seller.line2,
    postal_code: seller.postalCode,
    city: seller.city,
    country: seller.country,
    vat_number: seller.vatNumber,
    email: seller.email,
  },
  buyer: buyer && {
    version: buyer.version,
    name: buyer.legalName,
    line1: buyer.line1,
    line2: buyer.line2,
    postal_code: buyer.postalCode,
    city: buyer.city,
    country: buyer.country,
    vat_number: buyer.vatNumber,
    tax_region: buyer.taxRegion,
  },
  tax_behaviour: invoice.taxBehaviour,
  invoice: toInvoiceObject(toInvoiceDocument(invoice, lines)),
});
