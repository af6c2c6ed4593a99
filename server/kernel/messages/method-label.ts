import { translator } from "./translator.ts";

const cardLabel = /^(?<brand>.+) ending in (?<digits>\d{4})$/;

/**
 * The label of a payment method in the payer's language. Processors' labels are stored in English, because clients,
 * merchants and operators see them too. A label of another form is returned unchanged.
 */
export const methodLabel = (label: string, locale: string): string => {
  const card = cardLabel.exec(label)?.groups;
  if (!card) return label;
  const t = translator(locale, "payment-methods");
  const { brand = "", digits = "" } = card;
  return t("cardLabel", { brand: brand === "Card" ? t("unknownBrand") : brand, digits });
};
