import { ublElement, type XmlElement } from "./xml.ts";

/** Why no VAT is charged: code of the VATEX list (BT-121) and text (BT-120), by category (UNCL5305). */
const reasons: Readonly<Record<string, readonly [code: string | null, text: string]>> = {
  O: ["VATEX-EU-O", "Not subject to VAT"],
  AE: ["VATEX-EU-AE", "Reverse charge"],
  K: ["VATEX-EU-IC", "Intra-community supply"],
  G: ["VATEX-EU-G", "Export outside the EU"],
  E: [null, "Exempt from VAT"],
};

type Tax = { category: string; rate: string };

/** Category O has no rate (BR-O-05). Only the tax totals have a reason (BG-23). */
export const taxCategoryElement = (name: string, { category, rate }: Tax, { withReason = false } = {}): XmlElement => {
  const [code, text] = (withReason ? reasons[category] : undefined) ?? [null, null];
  return ublElement(name, [
    ublElement("cbc:ID", category),
    category === "O" ? null : ublElement("cbc:Percent", rate),
    code === null ? null : ublElement("cbc:TaxExemptionReasonCode", code),
    text === null ? null : ublElement("cbc:TaxExemptionReason", text),
    ublElement("cac:TaxScheme", [ublElement("cbc:ID", "VAT")]),
  ]);
};
