import type { Client } from "../clients/client.ts";
import { postForm } from "../clients/post-form.ts";
import type { CallOptions } from "../http/call-options.ts";
import type { Grant } from "./grant.ts";

/** What to revoke: a grant with all its mandates, or a token. */
export type Revocation = { grant: Grant } | { token: string };

const tokenOf = (revocation: Revocation): string =>
  "token" in revocation ? revocation.token : (revocation.grant.refreshToken ?? revocation.grant.accessToken);

/**
 * Revokes a grant with its tokens and mandates, or a token (RFC 7009). Revoking a refresh token ends its
 * grant. If a grant has no refresh token, only its access token is revoked. An unknown token is no error.
 */
export const revoke = async (agent: Client, revocation: Revocation, options: CallOptions = {}): Promise<void> => {
  const fields = { token: tokenOf(revocation) };
  await postForm(agent, { url: agent.server.revocationEndpoint, fields, isProven: false }, options);
};
