import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Content-Security-Policy and its companions on every answer.
 *
 * Pages: Next takes the nonce for its scripts from the *request's* `content-security-policy` header, so the gateway
 * writes the same policy there before the page renders. A page must therefore be rendered per request (`dynamic =
 * "force-dynamic"` in the root layout): a prerendered one would carry no nonce and its scripts would be refused.
 * Style attributes are allowed, since React writes them into the HTML (widths of bars); they can't run anything.
 */
const authorizationPath = /^\/(?:oauth\/authorize|sign-in|sign-up|consent)(?:\/|$)/;

/**
 * Whether a client's window passes this path on its way to a decision and back. Two restrictions would strand the payer
 * there: `form-action`, which browsers enforce on every redirect behind a form, the client's own included (CSP3
 * §6.4.1.1), and `Cross-Origin-Opener-Policy`, which cuts a popup off from the page that opened it (HTML §7.1.3).
 */
export const isOnAuthorizationPath = (pathname: string): boolean => authorizationPath.test(pathname);

const pageCsp = (nonce: string, pathname: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ...(isOnAuthorizationPath(pathname) ? [] : ["form-action 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const machineCsp = "default-src 'none'; frame-ancestors 'none'";

type HeaderFields = Readonly<Record<string, string>>;

const commonHeaders = (isHttps: boolean, pathname: string | null): HeaderFields => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: with it a browser sends `Origin: null` from our own forms, and the same-origin guard can't tell.
  "referrer-policy": "same-origin",
  ...(pathname !== null && isOnAuthorizationPath(pathname) ? {} : { "cross-origin-opener-policy": "same-origin" }),
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  ...(isHttps ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
});

/** Of answers that programs read. @param pathname of the request; null where it could not be read. */
export const machineHeaders = (isHttps: boolean, pathname: string | null = null): HeaderFields => ({
  ...commonHeaders(isHttps, pathname),
  "content-security-policy": machineCsp,
});

export const setHeaders = (outgoing: ServerResponse, fields: HeaderFields): void => {
  for (const [name, value] of Object.entries(fields)) outgoing.setHeader(name, value);
};

/** Sets a page's headers. @param pathname of the request. */
export const setPageHeaders = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { pathname, isHttps }: { pathname: string; isHttps: boolean },
): void => {
  const policy = pageCsp(randomBytes(16).toString("base64"), pathname);
  incoming.headers["content-security-policy"] = policy;
  setHeaders(outgoing, commonHeaders(isHttps, pathname));
  outgoing.setHeader("content-security-policy", policy);
};
