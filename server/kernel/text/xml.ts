/**
 * Characters that XML 1.0 §2.2 forbids even as references: most control characters, unpaired surrogates, two
 * non-characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const forbidden = /[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/gu;

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#13;",
};

/** Escapes text for character data and attribute values. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, "\uFFFD").replace(/[&<>"'\r]/g, (character) => references[character] ?? "");

/** @param text plain text; this function escapes it. */
export const element = (name: string, text: string, attributes = ""): string =>
  `<${name}${attributes}>${escapeXml(text)}</${name}>`;

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';
