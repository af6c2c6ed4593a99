import { AsyncLocalStorage } from "node:async_hooks";
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
type PagePolicy = { formAction: Set<string> };

// Next bundles its own copy of this module: both find the one store on the global object.
const slot = Symbol.for("paygrant.page-policy");
type Holder = { [slot]?: AsyncLocalStorage<PagePolicy> };
const store = (): AsyncLocalStorage<PagePolicy> => {
  const holder = globalThis as Holder;
  holder[slot] ??= new AsyncLocalStorage<PagePolicy>();
  return holder[slot];
};

/**
 * For the page being rendered: lets its forms end at `origin` too. The consent page calls it with the origin of the
 * validated redirect URI, since Chromium applies `form-action` to the redirect that follows the form. Call it before
 * the page's first `await` inside a Suspense boundary: the headers leave with the first byte.
 */
export const allowFormAction = (origin: string): void => {
  const { protocol, origin: exact } = new URL(origin);
  // A custom scheme has no origin; its scheme is all that a policy can name.
  store()
    .getStore()
    ?.formAction.add(exact === "null" ? protocol : exact);
};

const pageCsp = (nonce: string, policy: PagePolicy): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action ${["'self'", ...policy.formAction].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const machineCsp = "default-src 'none'; frame-ancestors 'none'";

type HeaderFields = Readonly<Record<string, string>>;

const commonHeaders = (isHttps: boolean): HeaderFields => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: with it a browser sends `Origin: null` from our own forms, and the same-origin guard can't tell.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  ...(isHttps ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
});

/** Of answers that programs read. */
export const machineHeaders = (isHttps: boolean): HeaderFields => ({
  ...commonHeaders(isHttps),
  "content-security-policy": machineCsp,
});

export const setHeaders = (outgoing: ServerResponse, fields: HeaderFields): void => {
  for (const [name, value] of Object.entries(fields)) outgoing.setHeader(name, value);
};

/** Runs the rendering of a page; its policy is written when its head is, so that the page could add to it. */
export const withPageHeaders = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isHttps: boolean,
  render: () => Promise<void>,
): Promise<void> => {
  const nonce = randomBytes(16).toString("base64");
  const policy: PagePolicy = { formAction: new Set() };
  incoming.headers["content-security-policy"] = pageCsp(nonce, policy);
  setHeaders(outgoing, commonHeaders(isHttps));
  const writeHead = outgoing.writeHead;
  outgoing.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    this.setHeader("content-security-policy", pageCsp(nonce, policy));
    return Reflect.apply(writeHead, this, args);
  } as typeof outgoing.writeHead;
  return store().run(policy, render);
};
