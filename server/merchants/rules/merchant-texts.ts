import { isMerchantCategory } from "../../kernel/money/mcc.ts";
import { merchantCategories } from "../../kernel/money/mcc-names.ts";

/**
 * Reads a category as typed: a code, a code with a name, or a name. @returns the code, null if the text names no
 * category.
 */
export const readCategory = (text: string): string | null => {
  const typed = text.trim();
  const [code = ""] = /^\d{4}(?=$|\s)/.exec(typed) ?? [];
  if (code !== "") return isMerchantCategory(code) ? code : null;
  const name = typed.toLowerCase();
  return merchantCategories.find(([, known]) => known.toLowerCase() === name)?.[0] ?? null;
};

/**
 * Reads the URL of a website as typed, with or without `https://`. @returns the URL; null if the text isn't the URL of
 * a website.
 */
export const readWebsite = (text: string): string | null => {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (address.length > 500 || /\s/.test(address) || !URL.canParse(address)) return null;
  const { protocol, username, password, hostname, href } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return null;
  if (username !== "" || password !== "") return null;
  const isNamed = /^(?=.{3,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(hostname);
  return isNamed ? href : null;
};

/**
 * The problem with the text for bank statements; null if processors accept it
 * (docs.stripe.com/get-started/account/statement-descriptors).
 */
export const statementDescriptorProblem = (text: string): string | null => {
  if (text.length < 5 || text.length > 22) return "Use 5 to 22 characters.";
  if (/[<>\\'"*]/.test(text)) return "Don’t use these characters: < > \\ ' \" *";
  if (!/^[\x20-\x7e]+$/.test(text)) return "Use letters without accents, digits, spaces and simple punctuation.";
  return /[A-Za-z]/.test(text) ? null : "Use at least one letter.";
};
