import { findPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { toAuthorizationRequest } from "../requests/authorization-request.ts";

/**
 * The one `acr` that a client's request admits (RFC 9470 §5), for the page that asks for the proof.
 * @param returnTo where that page leads on to. @returns null where that is no consent page, or any way will do.
 */
export const findWantedProof = async (
  { db }: Pick<Deps, "db">,
  { returnTo }: { returnTo: string },
): Promise<string | null> => {
  const handle = /^\/consent\/([A-Za-z0-9_-]{1,100})(?:\?|$)/.exec(returnTo)?.[1];
  const row = handle === undefined ? null : await findPushedRequest(db, handle);
  const [wanted = null, ...others] = new Set(row ? toAuthorizationRequest(row.request).acrValues : []);
  return others.length > 0 ? null : wanted;
};
