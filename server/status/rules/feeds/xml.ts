/** What XML 1.0 §2.2 has no place for, not even as a reference: most control characters, lone surrogates, two non-characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
const unfit = /[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/gu;

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#13;",
};

/** Any text as character data or as the value of an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(unfit, "\uFFFD").replace(/[&<>"'\r]/g, (character) => references[character] ?? "");

/** One element on a line of its own. @param text escaped here. */
export const element = (name: string, text: string, attributes = ""): string =>
  `<${name}${attributes}>${escapeXml(text)}</${name}>`;

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';
