import { childrenOf, parseXml, type XmlElement } from "#e2e/support/answers/xml.ts";

const components = "urn:oasis:names:specification:ubl:schema:xsd:Common";

/** All elements at a path of names with prefixes, for example `cac:TaxTotal/cac:TaxSubtotal`. */
const at = (element: XmlElement, path: string): XmlElement[] =>
  path.split("/").reduce(
    (found, step) => {
      const [prefix, local] = step.split(":");
      const name = `{${components}${prefix === "cac" ? "Aggregate" : "Basic"}Components-2}${local}`;
      return found.flatMap((one) => childrenOf(one, name));
    },
    [element],
  );
const textOf = (element: XmlElement, path: string): string | undefined => at(element, path)[0]?.text;
/** In hundredths. */
const amountOf = (element: XmlElement, path: string): number => Math.round(Number(textOf(element, path) ?? 0) * 100);
const sumOf = (elements: readonly XmlElement[], path: string): number =>
  elements.reduce((sum, element) => sum + amountOf(element, path), 0);

const sellerVat = "cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID";
const buyerVat = "cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID";
const lineTax = "cac:Item/cac:ClassifiedTaxCategory";
const totals = "cac:LegalMonetaryTotal";

const linesOf = (root: XmlElement) => [...at(root, "cac:InvoiceLine"), ...at(root, "cac:CreditNoteLine")];
const breakdownsOf = (root: XmlElement) => at(root, "cac:TaxTotal/cac:TaxSubtotal");
const linesIn = (root: XmlElement, category: string) =>
  linesOf(root).filter((line) => textOf(line, `${lineTax}/cbc:ID`) === category);
const breakdownsIn = (root: XmlElement, category: string) =>
  breakdownsOf(root).filter((one) => textOf(one, "cac:TaxCategory/cbc:ID") === category);
const hasReason = (one: XmlElement) =>
  at(one, "cac:TaxCategory/cbc:TaxExemptionReason").length > 0 ||
  at(one, "cac:TaxCategory/cbc:TaxExemptionReasonCode").length > 0;

/** Whether the tax differs from the exact tax by less than one unit of the currency, as in the official rules. */
const isTaxOf = (one: XmlElement) => {
  const exact = amountOf(one, "cbc:TaxableAmount") * (Number(textOf(one, "cac:TaxCategory/cbc:Percent") ?? 0) / 100);
  return Math.abs(Math.abs(amountOf(one, "cbc:TaxAmount")) - Math.abs(Math.round(exact))) < 100;
};
const isSumOfLines = (root: XmlElement, category: string) =>
  breakdownsIn(root, category).every((one) => {
    const rate = textOf(one, "cac:TaxCategory/cbc:Percent");
    const lines = linesIn(root, category).filter((line) => textOf(line, `${lineTax}/cbc:Percent`) === rate);
    return amountOf(one, "cbc:TaxableAmount") === sumOf(lines, "cbc:LineExtensionAmount");
  });

type Rules = Readonly<Record<string, (root: XmlElement) => boolean>>;

/** Amounts and totals. Our documents have no document-level allowances, charges or rounding amounts. */
const totalRules: Rules = {
  "BR-CO-04": (root) => linesOf(root).every((line) => at(line, `${lineTax}/cbc:ID`).length === 1),
  "BR-CO-09": (root) => [...at(root, sellerVat), ...at(root, buyerVat)].every(({ text }) => /^(?:[A-Z]{2})/.test(text)),
  "BR-CO-10": (root) =>
    amountOf(root, `${totals}/cbc:LineExtensionAmount`) === sumOf(linesOf(root), "cbc:LineExtensionAmount"),
  "BR-CO-11": (root) =>
    at(root, `${totals}/cbc:AllowanceTotalAmount`).length === at(root, "cac:AllowanceCharge").length,
  "BR-CO-12": (root) => at(root, `${totals}/cbc:ChargeTotalAmount`).length === at(root, "cac:AllowanceCharge").length,
  "BR-CO-13": (root) =>
    amountOf(root, `${totals}/cbc:TaxExclusiveAmount`) === amountOf(root, `${totals}/cbc:LineExtensionAmount`),
  "BR-CO-14": (root) => amountOf(root, "cac:TaxTotal/cbc:TaxAmount") === sumOf(breakdownsOf(root), "cbc:TaxAmount"),
  "BR-CO-15": (root) =>
    amountOf(root, `${totals}/cbc:TaxInclusiveAmount`) ===
    amountOf(root, `${totals}/cbc:TaxExclusiveAmount`) + amountOf(root, "cac:TaxTotal/cbc:TaxAmount"),
  "BR-CO-16": (root) =>
    amountOf(root, `${totals}/cbc:PayableAmount`) ===
    amountOf(root, `${totals}/cbc:TaxInclusiveAmount`) - amountOf(root, `${totals}/cbc:PrepaidAmount`),
  "BR-CO-17": (root) => breakdownsOf(root).every(isTaxOf),
  "BR-CO-18": (root) => breakdownsOf(root).length > 0,
  "BR-27": (root) => linesOf(root).every((line) => amountOf(line, "cac:Price/cbc:PriceAmount") >= 0),
};

const standardRules: Rules = {
  "BR-S-01": (root) => linesIn(root, "S").length > 0 === breakdownsIn(root, "S").length > 0,
  "BR-S-02": (root) => linesIn(root, "S").length === 0 || at(root, sellerVat).length > 0,
  "BR-S-05": (root) => linesIn(root, "S").every((line) => Number(textOf(line, `${lineTax}/cbc:Percent`)) > 0),
  "BR-S-08": (root) => isSumOfLines(root, "S"),
  "BR-S-09": (root) => breakdownsIn(root, "S").every(isTaxOf),
  "BR-S-10": (root) => !breakdownsIn(root, "S").some(hasReason),
};

/** The rules that categories without tax share. Only category O has no rate (BR-O-05). */
const untaxedRules = (name: string, category: string): Rules => ({
  [`BR-${name}-01`]: (root) => breakdownsIn(root, category).length === (linesIn(root, category).length > 0 ? 1 : 0),
  [`BR-${name}-05`]: (root) =>
    linesIn(root, category).every(
      (line) => textOf(line, `${lineTax}/cbc:Percent`) === (category === "O" ? undefined : "0"),
    ),
  [`BR-${name}-08`]: (root) => isSumOfLines(root, category),
  [`BR-${name}-09`]: (root) => breakdownsIn(root, category).every((one) => amountOf(one, "cbc:TaxAmount") === 0),
  [`BR-${name}-10`]: (root) => breakdownsIn(root, category).every(hasReason),
});

const isPresent = (root: XmlElement, path: string) => (textOf(root, path) ?? "") !== "";
const isWithout = (root: XmlElement, category: string) => breakdownsIn(root, category).length === 0;

const rules: Rules = {
  ...totalRules,
  ...standardRules,
  ...untaxedRules("AE", "AE"),
  "BR-AE-02": (root) =>
    linesIn(root, "AE").length === 0 || (at(root, sellerVat).length > 0 && at(root, buyerVat).length > 0),
  ...untaxedRules("IC", "K"),
  "BR-IC-02": (root) =>
    linesIn(root, "K").length === 0 || (at(root, sellerVat).length > 0 && at(root, buyerVat).length > 0),
  "BR-IC-11": (root) => isWithout(root, "K") || isPresent(root, "cac:Delivery/cbc:ActualDeliveryDate"),
  "BR-IC-12": (root) =>
    isWithout(root, "K") ||
    isPresent(root, "cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode"),
  ...untaxedRules("O", "O"),
  "BR-O-02": (root) =>
    linesIn(root, "O").length === 0 || (at(root, sellerVat).length === 0 && at(root, buyerVat).length === 0),
  "BR-O-11": (root) => isWithout(root, "O") || breakdownsOf(root).length === 1,
  "BR-O-12": (root) => isWithout(root, "O") || linesIn(root, "O").length === linesOf(root).length,
};

/**
 * The rules of EN 16931 that a UBL document breaks. Checks only the official rules on sums, taxes and VAT numbers that
 * apply to our documents (https://github.com/ConnectingEurope/eInvoicing-EN16931).
 */
export const brokenRules = (xml: string): string[] => {
  const root = parseXml(xml);
  return Object.entries(rules).flatMap(([id, holds]) => (holds(root) ? [] : [id]));
};
