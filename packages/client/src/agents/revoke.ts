import type { Client } from "../clients/client.ts";
import { postForm } from "../clients/post-form.ts";
import type { CallOptions } from "../http/call-options.ts";
import type { Grant } from "./grant.ts";

/** What to revoke: a grant with all its mandates, or a single token. */
export type Revocation = { grant: Grant } | { token: string };

const tokenOf = (revocation: Revocation): string =>
  "token" in revocation ? revocation.token : (revocation.grant.refreshToken ?? revocation.grant.accessToken);

/** Revokes a grant with its tokens and mandates, or a single token (RFC 7009). An unknown token is no error. */
export const revoke = async (agent: Client, revocation: Revocation, options: CallOptions = {}): Promise<void> => {
  const fields = { token: tokenOf(revocation) };
  await postForm(agent, { url: agent.server.revocationEndpoint, fields, isProven: false }, options);
};
