/** A part of a mail, rendered as text and as HTML. */
export type MailBlock =
  | string
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** the one action of the mail */
  | { button: MailLink }
  | { link: MailLink }
  | { list: readonly string[] }
  /** a code that the reader types into a page */
  | { code: string };

type MailLink = { label: string; href: string };

export type Draft = { subject: string; blocks: readonly MailBlock[] };

/** Below the content, in small print. */
export type MailFooter = readonly (string | { link: MailLink })[];

const maxNameLength = 100;
/** Control characters, line and paragraph separators, unpaired surrogates, and characters that change text direction. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Makes someone else's text (a name, a reference) safe for one line: it can't start a header, a paragraph or markup.
 */
export const oneLine = (text: string): string => {
  const characters = [...text.replace(unsafeCharacters, " ").replace(/\s+/g, " ").trim()];
  return characters.length > maxNameLength
    ? `${characters.slice(0, maxNameLength - 1).join("")}…`
    : characters.join("");
};

/** Splits someone else's text into safe paragraphs, without shortening it. */
export const paragraphs = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(unsafeCharacters, " ").trim())
    .filter((line) => line !== "");

/** Accepts only http and https URLs. @throws RangeError */
export const pageAddress = (href: string): string => {
  const url = new URL(href);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RangeError("a mail can link only to http and https pages");
  return url.href;
};

const linkText = ({ label, href }: MailLink): string => `${label}:\n${pageAddress(href)}`;

const textOf = (block: MailBlock): string => {
  if (typeof block === "string") return block;
  if ("button" in block) return linkText(block.button);
  if ("link" in block) return linkText(block.link);
  if ("list" in block) return block.list.map((item) => `- ${item}`).join("\n");
  if ("code" in block) return block.code;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
};

/** The plain text part of a mail. */
export const renderText = ({ blocks }: Draft, footer: MailFooter): string =>
  `${[...blocks, ...footer].map(textOf).join("\n\n")}\n`;
