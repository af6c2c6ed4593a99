import { findClient } from "../../data/oauth/clients.ts";
import { openPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { hashDated } from "../../kernel/time/dated.ts";
import { authorizeClientRules, authorizePairRules, openedRequestRules } from "../rules/requests/authorize.ts";
import { completionSeconds, requestUriPrefix } from "../rules/tokens/tokens.ts";

/**
 * GET or POST /oauth/authorize: checks both parameters and starts the payer's 15 minutes. Opening the link again shows
 * the same request.
 * @returns the consent page's URL.
 * @throws DomainError, which is displayed as a page and never redirects (RFC 6749 §4.1.2.1).
 */
export const openRequest = async (
  deps: Deps,
  input: { clientId: string | undefined; requestUri: string | undefined },
): Promise<{ consentUrl: string }> => {
  checkRules(authorizePairRules, input);
  const [clientId, requestUri] = [assertPresent(input.clientId), assertPresent(input.requestUri)];
  checkRules(authorizeClientRules, { client: await findClient(deps.db.sql, clientId) });
  const now = deps.clock.now();
  const handle = await openPushedRequest(deps.db.sql, {
    requestUriHash: hashDated(requestUri.slice(requestUriPrefix.length)),
    clientId,
    now,
    completeBy: addSeconds(now, completionSeconds),
  });
  checkRules(openedRequestRules, { isOpen: handle !== null });
  return { consentUrl: `${deps.config.walletUrl}/consent/${assertPresent(handle)}` };
};
