import { findClient } from "../data/clients.ts";
import { openPushedRequest } from "../data/pushed-requests.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { hashDated } from "../kernel/dated.ts";
import { DomainError } from "../kernel/errors.ts";
import { completionSeconds, requestUriPrefix } from "./rules/tokens.ts";

/**
 * GET or POST /oauth/authorize: checks the pair and starts the payer's 15 minutes; opening again shows the same request.
 * @returns the consent page's address.
 * @throws DomainError: the page that says so never redirects (RFC 6749 §4.1.2.1).
 */
export const openRequest = async (
  deps: Deps,
  input: { clientId: string | undefined; requestUri: string | undefined },
): Promise<{ consentUrl: string }> => {
  const { clientId, requestUri } = input;
  const secret = requestUri?.startsWith(requestUriPrefix) ? requestUri.slice(requestUriPrefix.length) : null;
  if (clientId === undefined || secret === null) throw gone();
  const client = await findClient(deps.db.sql, clientId);
  if (!client || client.hasForeignKey) throw gone();
  const now = deps.clock.now();
  const handle = await openPushedRequest(deps.db.sql, {
    requestUriHash: hashDated(secret),
    clientId,
    now,
    completeBy: addSeconds(now, completionSeconds),
  });
  if (handle === null) throw gone();
  return { consentUrl: `${deps.config.walletUrl}/consent/${handle}` };
};

/** One answer for unknown, foreign, expired and completed: a link tells nothing about requests that aren't its own. */
const gone = () =>
  new DomainError("invalid", "request_unknown", "This request is unknown, has expired or was completed.");
