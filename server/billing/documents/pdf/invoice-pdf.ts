import { formatMoney } from "../../../kernel/money/money.ts";
import { countryName } from "../../../kernel/text/place-name.ts";
import type { PdfDocument, PdfSection, PdfTable } from "../../../platform/pdf/pdf-document.ts";
import { daysOf, type IssuedInvoice, issueDateOf } from "../issued-invoice.ts";

const language = "en-GB";

const columns: PdfTable["columns"] = [
  { label: "Description", isNumber: false },
  { label: "Quantity", isNumber: true },
  { label: "Amount", isNumber: true },
  { label: "Discount", isNumber: true },
  { label: "Net", isNumber: true },
];

const dayFormat = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
/** @param day ISO 8601 date */
const toDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

/**
 * The PDF of an invoice. It depends only on data that can't change after the invoice is issued, so its bytes and its
 * hash don't change.
 */
export const invoicePdf = (document: IssuedInvoice): PdfDocument => {
  const { invoice, issuer, isTest } = document;
  const kind = invoice.type === "credit_note" ? "Credit note" : "Invoice";
  return {
    title: `${kind} ${invoice.number}`,
    subtitle: `Issued on ${toDay(issueDateOf(invoice.issued_at))}`,
    banner: isTest ? "Test document of the sandbox: no payment is required" : null,
    brand: issuer.name,
    sections: [
      { heading: null, rows: headRows(document) },
      { heading: "Lines", rows: [], table: linesTable(document) },
      { heading: "Tax", rows: taxRows(document) },
      ...paymentSection(document),
    ],
    footer: [issuer.name, issuer.vatNumber, issuer.email].filter((part) => part !== null).join(" · "),
    pageLabel: "Page {page} of {pages}",
    language,
    at: invoice.issued_at,
  };
};

const addressOf = (party: { line1: string; line2: string | null; postalCode: string | null; city: string }): string =>
  [party.line1, party.line2, [party.postalCode, party.city].filter(Boolean).join(" ")].filter(Boolean).join(", ");

const joined = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join("\n");

type Spanned = Parameters<typeof daysOf>[0];

const isOfPeriod = ({ period: one }: Spanned, { period: other }: Spanned): boolean =>
  one.from === other.from && one.to === other.to;

const spanOf = (spanned: Spanned, document: IssuedInvoice): string => {
  const { first, last } = daysOf(spanned, document);
  return `${toDay(first)} to ${toDay(last)}`;
};

const headRows = (document: IssuedInvoice): PdfSection["rows"] => {
  const { invoice, issuer, customer, corrects, reason, planName } = document;
  const rows: (readonly [string, string])[] = [
    [
      "From",
      joined([issuer.name, addressOf(issuer), countryName(issuer.country, language), vatLine(issuer.vatNumber)]),
    ],
    [
      "To",
      joined([
        customer.name,
        customer.address && addressOf(customer.address),
        customer.country && countryName(customer.country, language),
        vatLine(customer.vatNumber),
        customer.merchantId,
      ]),
    ],
    ["Period", spanOf({ period: invoice.period }, document)],
    ["Plan", planName],
  ];
  if (corrects !== null) rows.push(["Corrects invoice", corrects]);
  if (reason !== null) rows.push(["Reason", reason]);
  if (invoice.type === "invoice" && invoice.due_at !== null) rows.push(["Due on", toDay(issueDateOf(invoice.due_at))]);
  return rows;
};

const vatLine = (vatNumber: string | null): string | null => (vatNumber === null ? null : `VAT number ${vatNumber}`);

const moneyOf =
  (currency: string) =>
  (amount: number): string =>
    formatMoney({ amountMinor: BigInt(amount), currency }, language);

const numberFormat = new Intl.NumberFormat(language);

const linesTable = (document: IssuedInvoice): PdfTable => {
  const { invoice, pricesIncludeTax } = document;
  const money = moneyOf(invoice.currency);
  const net = invoice.lines.reduce((sum, line) => sum + line.net, 0);
  // If the lines and their tax are below zero, the merchant gets the amount as credit balance, and the total is zero.
  const toCreditBalance = invoice.total - net - invoice.tax;
  const netLabel = toCreditBalance === 0 ? "Net total" : "Net credit";
  const total = (label: string, amount: number): readonly string[] => [label, "", "", "", money(amount)];
  return {
    columns,
    rows: invoice.lines.map((line) => [
      isOfPeriod(line, invoice) ? line.description : `${line.description}, ${spanOf(line, document)}`,
      numberFormat.format(BigInt(line.quantity)),
      money(line.amount),
      line.discount === 0 ? "" : money(-line.discount),
      money(line.net),
    ]),
    totals: [
      total(pricesIncludeTax ? `${netLabel} (prices include tax)` : netLabel, net),
      total("Tax", invoice.tax),
      ...(toCreditBalance === 0 ? [] : [total("Added to the credit balance", toCreditBalance)]),
      total("Total", invoice.total),
    ],
  };
};

const taxNotes: Readonly<Record<string, string>> = {
  O: "not subject to VAT",
  AE: "reverse charge: the customer accounts for the VAT",
  K: "intra-community supply",
  G: "export outside the EU",
  E: "exempt from VAT",
  Z: "zero rated",
};

const taxRows = ({ invoice }: IssuedInvoice): PdfSection["rows"] =>
  invoice.taxes.map(({ category, rate, base, amount }) => {
    const money = moneyOf(invoice.currency);
    const name = taxNotes[category] === undefined ? `${rate} %` : `${rate} %, ${taxNotes[category]}`;
    return [name, `${money(amount)} on ${money(base)}`] as const;
  });

const paymentSection = ({ invoice }: IssuedInvoice): PdfSection[] => {
  if (invoice.type === "credit_note") return [];
  const money = moneyOf(invoice.currency);
  const rows: (readonly [string, string])[] = [];
  if (invoice.credit_applied !== 0) rows.push(["Credit balance used", money(-invoice.credit_applied)]);
  if (invoice.prepaid_applied !== 0) rows.push(["Prepaid credit used", money(-invoice.prepaid_applied)]);
  rows.push(["Amount to pay", money(invoice.amount_due)]);
  return [{ heading: "Payment", rows }];
};
