import { findPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { consentHandleOf } from "../../kernel/consent-path.ts";
import { toAuthorizationRequest } from "../requests/authorization-request.ts";

/**
 * The one `acr` that a client requests (RFC 9470 §5), for the sign-in page.
 * @param returnTo the page after sign-in.
 * @returns null if `returnTo` isn't a consent page, and if the client accepts any or several values.
 */
export const findRequestedAcr = async (
  { db }: Pick<Deps, "db">,
  { returnTo }: { returnTo: string },
): Promise<string | null> => {
  const handle = consentHandleOf(returnTo);
  const row = handle === null ? null : await findPushedRequest(db.sql, handle);
  const [requested = null, ...others] = new Set(row ? toAuthorizationRequest(row.request).acrValues : []);
  return others.length > 0 ? null : requested;
};
