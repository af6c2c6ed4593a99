import { toDecimal } from "../../../kernel/money/money.ts";
import { daysOf, grossOfLine, type IssuedInvoice, issueDateOf } from "../issued-invoice.ts";
import { customerElement, supplierElement } from "./parties.ts";
import { taxCategoryElement } from "./tax-category.ts";
import { findUblProblem } from "./ubl-problem.ts";
import { toXml, ublElement, type XmlElement } from "./xml.ts";

type Line = IssuedInvoice["invoice"]["lines"][number];
/** Names and codes that differ between an invoice and a credit note. */
type Names = { root: "Invoice" | "CreditNote"; line: string; quantity: string; typeCode: string; code: string };

const invoiceNames: Names = {
  root: "Invoice",
  line: "cac:InvoiceLine",
  quantity: "cbc:InvoicedQuantity",
  typeCode: "cbc:InvoiceTypeCode",
  code: "380",
};
const creditNoteNames: Names = {
  root: "CreditNote",
  line: "cac:CreditNoteLine",
  quantity: "cbc:CreditedQuantity",
  typeCode: "cbc:CreditNoteTypeCode",
  code: "381",
};

/**
 * The invoice or credit note in UBL 2.1, according to the core model of EN 16931-1 (CEN/TS 16931-3-2).
 * @throws RangeError for a document that the model can't express (`findUblProblem`).
 */
export const toUbl = (document: IssuedInvoice): string => {
  const { invoice, issuer, customer } = document;
  // The country is a required field (BR-11). Only a test document may have a customer without a country.
  const country = customer.country ?? issuer.country;
  const problem = findUblProblem(document);
  if (problem !== null) throw new RangeError(problem);
  const names = invoice.type === "credit_note" ? creditNoteNames : invoiceNames;
  const hasVat = invoice.lines.every(({ tax }) => tax.category !== "O");
  const root = ublElement(
    names.root,
    [
      ...headElements(document, names),
      supplierElement(issuer, hasVat),
      customerElement(customer, { hasVat, country }),
      deliveryElement(document, country),
      noteOfTerms(document),
      taxElement(document),
      totalsElement(document),
      ...invoice.lines.map((line, index) => lineElement(document, { line, number: index + 1, names })),
    ],
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${names.root}-2`,
      "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
      "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
    },
  );
  return toXml(root);
};

const headElements = (document: IssuedInvoice, names: Names): (XmlElement | null)[] => {
  const { invoice, corrects, reason, isTest } = document;
  const notes = [isTest ? "Test document of the sandbox: no payment is required." : null, reason];
  return [
    ublElement("cbc:CustomizationID", "urn:cen.eu:en16931:2017"),
    ublElement("cbc:ID", invoice.number),
    ublElement("cbc:IssueDate", issueDateOf(invoice.issued_at)),
    names.root === "Invoice" && invoice.due_at !== null ? ublElement("cbc:DueDate", issueDateOf(invoice.due_at)) : null,
    ublElement(names.typeCode, names.code),
    ...notes.map((note) => (note === null ? null : ublElement("cbc:Note", note))),
    ublElement("cbc:DocumentCurrencyCode", invoice.currency),
    periodElement({ period: invoice.period }, document),
    corrects === null
      ? null
      : ublElement("cac:BillingReference", [
          ublElement("cac:InvoiceDocumentReference", [ublElement("cbc:ID", corrects)]),
        ]),
  ];
};

const periodElement = (spanned: Parameters<typeof daysOf>[0], document: IssuedInvoice): XmlElement => {
  const { first, last } = daysOf(spanned, document);
  return ublElement("cac:InvoicePeriod", [ublElement("cbc:StartDate", first), ublElement("cbc:EndDate", last)]);
};

/** An intra-community supply requires the country of delivery (BR-IC-12). */
const deliveryElement = (document: IssuedInvoice, country: string): XmlElement | null => {
  const { invoice } = document;
  return invoice.taxes.some(({ category }) => category === "K")
    ? ublElement("cac:Delivery", [
        ublElement("cbc:ActualDeliveryDate", daysOf({ period: invoice.period }, document).last),
        ublElement("cac:DeliveryLocation", [
          ublElement("cac:Address", [ublElement("cac:Country", [ublElement("cbc:IdentificationCode", country)])]),
        ]),
      ])
    : null;
};

const noteOfTerms = ({ invoice }: IssuedInvoice): XmlElement | null => {
  if (invoice.type === "credit_note") return null;
  const note = invoice.amount_due === 0 ? "No payment is required." : "Collected from the merchant's payment method.";
  return ublElement("cac:PaymentTerms", [ublElement("cbc:Note", note)]);
};

const amountElement = (name: string, amount: number, currency: string): XmlElement =>
  ublElement(name, toDecimal({ amountMinor: BigInt(amount), currency }), { currencyID: currency });

const taxElement = ({ invoice: { taxes, tax, currency } }: IssuedInvoice): XmlElement =>
  ublElement("cac:TaxTotal", [
    amountElement("cbc:TaxAmount", tax, currency),
    ...taxes.map((one) =>
      ublElement("cac:TaxSubtotal", [
        amountElement("cbc:TaxableAmount", one.base, currency),
        amountElement("cbc:TaxAmount", one.amount, currency),
        taxCategoryElement("cac:TaxCategory", one, { withReason: true }),
      ]),
    ),
  ]);

/** BG-22. Discounts are allowances of the lines, so the document itself has no allowances. */
const totalsElement = ({ invoice }: IssuedInvoice): XmlElement => {
  const { currency } = invoice;
  const net = invoice.lines.reduce((sum, line) => sum + line.net, 0);
  const withTax = net + invoice.tax;
  return ublElement("cac:LegalMonetaryTotal", [
    amountElement("cbc:LineExtensionAmount", net, currency),
    amountElement("cbc:TaxExclusiveAmount", net, currency),
    amountElement("cbc:TaxInclusiveAmount", withTax, currency),
    amountElement("cbc:PrepaidAmount", withTax - payable(invoice), currency),
    amountElement("cbc:PayableAmount", payable(invoice), currency),
  ]);
};

/** The payable amount of a credit note is its total, because a credit note has no amount due. */
const payable = (invoice: IssuedInvoice["invoice"]): number =>
  invoice.type === "credit_note" ? invoice.total : invoice.amount_due;

type LineContext = { line: Line; number: number; names: Names };

/**
 * BG-25. The price (BT-146) is for the whole quantity (base quantity BT-149), so that no price is rounded. A price must
 * not be negative (BR-27), so a line with a negative amount has a negative quantity.
 */
const lineElement = (document: IssuedInvoice, { line, number, names }: LineContext): XmlElement => {
  const { currency } = document.invoice;
  const gross = grossOfLine(line, document.pricesIncludeTax);
  const discount = document.pricesIncludeTax ? 0 : line.discount;
  const units = line.kind === "usage" && BigInt(line.quantity) > 0n ? String(line.quantity) : "1";
  return ublElement(names.line, [
    ublElement("cbc:ID", String(number)),
    ublElement(names.quantity, gross < 0 ? `-${units}` : units, { unitCode: "C62" }),
    amountElement("cbc:LineExtensionAmount", line.net, currency),
    periodElement(line, document),
    discount === 0 ? null : allowanceElement(discount, currency),
    ublElement("cac:Item", [
      ublElement("cbc:Name", line.description),
      taxCategoryElement("cac:ClassifiedTaxCategory", line.tax),
    ]),
    ublElement("cac:Price", [
      amountElement("cbc:PriceAmount", Math.abs(gross), currency),
      ublElement("cbc:BaseQuantity", units, { unitCode: "C62" }),
    ]),
  ]);
};

const allowanceElement = (amount: number, currency: string): XmlElement =>
  ublElement("cac:AllowanceCharge", [
    ublElement("cbc:ChargeIndicator", "false"),
    ublElement("cbc:AllowanceChargeReason", "Discount"),
    amountElement("cbc:Amount", amount, currency),
  ]);
