import { issuerOf } from "../own-address.ts";
import type { ConsentResult } from "./authorization-response.ts";
import { awaitPopup } from "./await-popup.ts";

export type ConsentOptions = {
  /** from the pushed authorization request (RFC 9126 §2.2) */
  requestUri: string;
  clientId: string;
  /** default: popup */
  mode?: "popup" | "redirect" | undefined;
  /** if the browser blocks the popup; default: redirect */
  fallback?: "redirect" | "none" | undefined;
  /** the authorization server; required if the script isn't loaded from `{issuer}/cdn` */
  issuer?: string | undefined;
  /** origin of the callback page; default: the origin of this page */
  callbackOrigin?: string | undefined;
  /** default: 10 minutes */
  timeoutMs?: number | undefined;
};

export type StartConsent = (options: ConsentOptions) => Promise<ConsentResult>;

const defaultTimeoutMs = 600_000;
const size = { width: 480, height: 780 };

/** The features for `window.open`: a popup in the middle of this window. */
const features = (): string => {
  const left = Math.max(0, window.screenX + (window.outerWidth - size.width) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - size.height) / 2);
  return `popup,width=${size.width},height=${size.height},left=${Math.round(left)},top=${Math.round(top)}`;
};

const getText = (name: string, value: unknown): string => {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`startConsent: ${name} is missing`);
};

const oneOf = (name: string, value: string, allowed: readonly string[]): void => {
  if (!allowed.includes(value)) throw new TypeError(`startConsent: ${name} must be ${allowed.join(" or ")}`);
};

/** The browser leaves this page, so the promise stays pending. */
const redirect = (address: string): Promise<never> => {
  location.assign(address);
  return new Promise(() => {});
};

/**
 * @param script address of this script.
 * @returns the function that shows the consent page. Call it in the handler of a click, because browsers open popups
 *   only then. It rejects with TypeError for wrong options, and with ConsentError if the server refuses the request.
 */
export const createStartConsent =
  (script: string | undefined): StartConsent =>
  async ({ requestUri, clientId, mode = "popup", fallback = "redirect", timeoutMs = defaultTimeoutMs, ...rest }) => {
    const query = new URLSearchParams({
      client_id: getText("clientId", clientId),
      request_uri: getText("requestUri", requestUri),
    });
    oneOf("mode", mode, ["popup", "redirect"]);
    oneOf("fallback", fallback, ["redirect", "none"]);
    const issuer = getText("issuer", rest.issuer ?? issuerOf(script)).replace(/\/+$/, "");
    const { protocol } = new URL(issuer);
    if (!/^https?:$/.test(protocol)) throw new TypeError("startConsent: issuer must be an https or http address");
    const address = `${issuer}/oauth/authorize?${query}`;
    if (mode === "redirect") return redirect(address);
    const popup = window.open(address, "_blank", features());
    if (!popup || popup.closed) return fallback === "redirect" ? redirect(address) : { status: "blocked" };
    return awaitPopup(popup, { issuer, origin: rest.callbackOrigin ?? location.origin, timeoutMs });
  };
