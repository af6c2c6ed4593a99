/** What a mail says, once for both of its forms. */
export type MailBlock =
  | string
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { link: { label: string; href: string } };

export type Draft = { subject: string; blocks: readonly MailBlock[] };
export type Rendered = { subject: string; text: string; html: string };

const maxNameLength = 100;
/** Control characters, line and paragraph separators, lone surrogates, and what turns the direction of what follows. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** What somebody else chose (a name, a reference) as one line of a sentence: it begins no header, paragraph or mark-up. */
export const oneLine = (text: string): string => {
  const characters = [...text.replace(unfit, " ").replace(/\s+/g, " ").trim()];
  return characters.length > maxNameLength
    ? `${characters.slice(0, maxNameLength - 1).join("")}…`
    : characters.join("");
};

/** What somebody else wrote as paragraphs, whole: each of its lines begins none of ours. */
export const paragraphs = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(unfit, " ").trim())
    .filter((line) => line !== "");

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/** Only what a browser opens as a page. @throws RangeError */
const pageAddress = (href: string): string => {
  const url = new URL(href);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new RangeError("a mail links to pages alone");
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

/** @returns the subject, and one text in both forms: plain, and as a page that needs neither script nor pictures. */
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
