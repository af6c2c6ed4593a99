import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const authorizationPath = /^\/(?:oauth\/authorize|sign-in|sign-up|reset|consent|language)(?:\/|$)/;

/**
 * Whether a client's window visits this path during an authorization. Two restrictions would block the payer on these
 * paths. Browsers apply `form-action` to every redirect after a form, including the redirect to the client (CSP3
 * §6.4.1.1). `Cross-Origin-Opener-Policy` separates a popup from the page that opened it (HTML §7.1.3).
 */
export const isOnAuthorizationPath = (pathname: string): boolean => authorizationPath.test(pathname);

/**
 * Next takes the nonce for its scripts from the *request's* `content-security-policy` header, so the gateway writes the
 * same policy there before the page renders. The build must not prerender pages (`dynamic = "force-dynamic"` in the
 * root layout): they would have no nonce, and their scripts would be blocked. Style attributes are allowed because
 * React writes them into the HTML (widths of bars). They can't run scripts.
 * @param assets sources of styles and fonts. Scripts need none: they have a nonce, or another script adds them.
 */
const pageCsp = (nonce: string, pathname: string, assets: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src ${assets} 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `font-src ${assets}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    ...(isOnAuthorizationPath(pathname) ? [] : ["form-action 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const machineCsp = "default-src 'none'; frame-ancestors 'none'";

/** The page with the live button stays the opener of its popup. */
const openerPolicy = (pathname: string | null): HeaderFields => {
  if (pathname !== null && isOnAuthorizationPath(pathname)) return {};
  const policy = pathname === "/docs/button" ? "same-origin-allow-popups" : "same-origin";
  return { "cross-origin-opener-policy": policy };
};

type HeaderFields = Readonly<Record<string, string>>;

const commonHeaders = (isHttps: boolean, pathname: string | null): HeaderFields => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // With `no-referrer`, browsers would send `Origin: null` from our own forms, and the same-origin check would fail.
  "referrer-policy": "same-origin",
  ...openerPolicy(pathname),
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  ...(isHttps ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
});

/** Headers of machine-facing responses. @param pathname of the request; null if it could not be read. */
export const machineHeaders = (isHttps: boolean, pathname: string | null = null): HeaderFields => ({
  ...commonHeaders(isHttps, pathname),
  "content-security-policy": machineCsp,
});

export const setHeaders = (outgoing: ServerResponse, fields: HeaderFields): void => {
  for (const [name, value] of Object.entries(fields)) outgoing.setHeader(name, value);
};

/** A source must not contain the separators of a policy (CSP3 §2.3.1). */
const assetSources = (assetPrefix: string): string => {
  if (assetPrefix === "") return "'self'";
  return `'self' ${assetPrefix.replace(/[;,]/g, encodeURIComponent)}/_next/static/`;
};

type PageAddress = { pathname: string; isHttps: boolean; assetPrefix: string };

/** Sets a page's headers. @param pathname of the request. @param assetPrefix see page-assets.ts. */
export const setPageHeaders = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { pathname, isHttps, assetPrefix }: PageAddress,
): void => {
  const policy = pageCsp(randomBytes(16).toString("base64"), pathname, assetSources(assetPrefix));
  incoming.headers["content-security-policy"] = policy;
  setHeaders(outgoing, commonHeaders(isHttps, pathname));
  outgoing.setHeader("content-security-policy", policy);
};
