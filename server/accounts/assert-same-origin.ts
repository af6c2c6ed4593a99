import type { Config } from "../deps/config.ts";
import { DomainError } from "../kernel/errors.ts";
import { isSameOrigin } from "./rules/same-origin.ts";

/**
 * Before anything that the session cookie alone allows.
 * @throws DomainError cross_origin where another site's page sent the request, or nobody can tell whose did.
 */
export const assertSameOrigin = (
  headers: Pick<Headers, "get">,
  config: Pick<Config, "baseUrl" | "walletUrl">,
): void => {
  const ownOrigins = [new URL(config.baseUrl).origin, new URL(config.walletUrl).origin];
  const sent = { secFetchSite: headers.get("sec-fetch-site"), origin: headers.get("origin") };
  if (isSameOrigin(sent, ownOrigins)) return;
  throw new DomainError(
    "forbidden",
    "cross_origin",
    "This request must come from a page of this site. Reload the page and try again.",
  );
};
