import type { Config } from "../deps/config.ts";
import { DomainError } from "../kernel/errors.ts";
import { isSameOrigin } from "./rules/same-origin.ts";

/**
 * Guards requests that only the session cookie authenticates.
 * @throws DomainError cross_origin for a request from another origin, or from an unknown one.
 */
export const assertSameOrigin = (
  headers: Pick<Headers, "get">,
  config: Pick<Config, "baseUrl" | "walletUrl">,
): void => {
  const ownOrigins = [new URL(config.baseUrl).origin, new URL(config.walletUrl).origin];
  const sent = { secFetchSite: headers.get("sec-fetch-site"), origin: headers.get("origin") };
  if (isSameOrigin(sent, ownOrigins)) return;
  throw new DomainError("forbidden", {
    code: "cross_origin",
    message: "This request must come from a page of this site. Reload the page and try again.",
  });
};
