/** A part of a mail, rendered as text and as HTML. */
export type MailBlock =
  | string
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { link: { label: string; href: string } };

export type Draft = { subject: string; blocks: readonly MailBlock[] };
export type Rendered = { subject: string; text: string; html: string };

const maxNameLength = 100;
/** Control characters, line and paragraph separators, lone surrogates and characters that change the text direction. */
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

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/** Accepts only addresses of pages. @throws RangeError */
const pageAddress = (href: string): string => {
  const url = new URL(href);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RangeError("a mail can link only to http and https pages");
  return url.href;
};

const textOf = (block: MailBlock): string => {
  if (typeof block === "string") return block;
  if ("link" in block) return `${block.link.label}:\n${pageAddress(block.link.href)}`;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
};

const paragraph = (inner: string): string => `<p style="margin:0 0 16px">${inner}</p>`;

const htmlOf = (block: MailBlock): string => {
  if (typeof block === "string") return paragraph(escapeHtml(block));
  if ("link" in block) {
    const href = escapeHtml(pageAddress(block.link.href));
    return paragraph(`<a href="${href}">${escapeHtml(block.link.label)}</a>`);
  }
  const lines = block.facts.map(([name, value]) => `${escapeHtml(name)}: <strong>${escapeHtml(value)}</strong>`);
  return paragraph(lines.join("<br>"));
};

const bodyStyle = "margin:0;padding:24px;max-width:36em;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere";

/** Renders the subject and the blocks as plain text and as HTML, which needs no script or pictures. */
export const renderBlocks = ({ subject, blocks }: Draft): Rendered => ({
  subject,
  text: `${blocks.map(textOf).join("\n\n")}\n`,
  html: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="${bodyStyle}"><main>`,
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>`,
    ...blocks.map(htmlOf),
    "</main></body></html>",
  ].join("\n"),
});
