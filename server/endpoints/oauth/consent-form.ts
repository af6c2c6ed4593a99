import { z } from "zod";
import type { RawReply } from "../../contract/endpoint.ts";
import type { Config } from "../../deps/config.ts";

/** The contract shared by the endpoints to which the consent page sends its form. */
export const consentFormContract = {
  method: "POST",
  tag: "Wallet",
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["403"],
} as const;

export const consentFormRequest = {
  content: "form",
  // The form token contains the page's text. It can be long: 16 KiB of authorization details can name 400 merchants.
  maxBytes: 256 * 1024,
  params: z.object({ handle: z.string().max(64) }),
} as const;

type Site = Pick<Config, "walletUrl">;

/** @param query the error that the page shows, if any */
export const toConsentPage = (
  { walletUrl }: Site,
  handle: string,
  query?: Readonly<Record<string, string>>,
): RawReply => {
  const page = `${walletUrl}/consent/${encodeURIComponent(handle)}`;
  return seeOther(query ? `${page}?${new URLSearchParams(query)}` : page);
};

/** Redirects to sign-in for a new proof of identity. The consent page opens again afterwards. */
export const toSignInAgain = ({ walletUrl }: Site, handle: string): RawReply =>
  seeOther(`${walletUrl}/sign-in?${new URLSearchParams({ return_to: `/consent/${handle}`, again: "1" })}`);

/** Never 307 or 308: the form, including its token, must not be forwarded (RFC 9700 §4.12). */
export const seeOther = (location: string): RawReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
});
