import type { RawReply } from "./endpoint.ts";

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page for errors that must not be redirected to a client (RFC 6749 §4.1.2.1). It runs no script. */
export const errorPage = ({ requestId, ...page }: Omit<PlainPage, "note"> & { requestId: string }) =>
  plainPage({ ...page, note: requestId });

export type PageLink = { href: string; label: string };

type PlainPage = {
  status: number;
  /** default: en */
  language?: string;
  title: string;
  text: string;
  /** small text below */
  note: string;
  /** the link to continue */
  link?: PageLink | undefined;
};

/** A response as a self-contained page, which is rendered without Next. */
export const plainPage = (input: PlainPage): RawReply => ({
  status: input.status,
  contentType: "text/html; charset=utf-8",
  headers: {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
  },
  body: `<!doctype html><html lang="${input.language ?? "en"}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(input.title)} · Paygrant</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 400 1rem/1.55 system-ui, sans-serif;
  color: light-dark(oklch(22% .02 260), oklch(95% .006 95)); background: light-dark(oklch(98.2% .004 95), oklch(17% .008 260)); }
main { max-width: 30rem; padding: 2rem 1.5rem; } h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; } p { margin: 0 0 1rem; }
p, small { overflow-wrap: anywhere; white-space: pre-line; } a { color: inherit; }
small { color: light-dark(oklch(54% .018 260), oklch(66% .014 260)); font-variant-numeric: tabular-nums; }
</style>
<main><p><b>Paygrant</b></p><h1>${escapeHtml(input.title)}</h1><p>${escapeHtml(input.text)}</p>${linkOf(input)}<small>${escapeHtml(input.note)}</small></main></html>`,
});

const linkOf = ({ link }: PlainPage): string =>
  link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : "";
