import { readExpiry, readTokenType } from "../agents/grant.ts";
import { requestToken } from "../agents/request-token.ts";
import type { Client } from "../clients/client.ts";
import { RequestError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { type Members, textIn, textOrNull } from "../wire/members.ts";

/**
 * A merchant client's access token. The functions for merchants replace the token in this object shortly before it
 * expires.
 */
export type Session = {
  client: Client;
  /** scopes, separated by spaces; null: all registered scopes of the merchant API */
  scope: string | null;
  accessToken: string;
  tokenType: "DPoP" | "Bearer";
  expiresAt: Date;
};

const renewalMs = 30_000;

const readSession = (client: Client, scope: string | null, response: Members): Session => ({
  client,
  scope: textOrNull(response, "scope") ?? scope,
  accessToken: textIn(response, "access_token"),
  tokenType: readTokenType(response),
  expiresAt: readExpiry(response),
});

/** A session for the merchant API (RFC 6749 §4.4). */
export const clientCredentials = async (
  shop: Client,
  { scope }: { scope?: string } = {},
  options: CallOptions = {},
): Promise<Session> =>
  readSession(
    shop,
    scope ?? null,
    await requestToken(
      shop,
      // If the request names scopes, the server derives the resource from them (RFC 8707).
      { grant_type: "client_credentials", scope, resource: scope ? undefined : shop.server.merchantResource },
      options,
    ),
  );

/** Renewals in progress. */
const renewals = new WeakMap<Session, Promise<unknown>>();

const renew = async (session: Session, options: CallOptions): Promise<void> => {
  const { client, scope } = session;
  Object.assign(session, await clientCredentials(client, scope === null ? {} : { scope }, options));
};

const isAborted = (error: unknown): boolean => error instanceof RequestError && error.code === "aborted";

/**
 * Concurrent requests share one renewal. If its caller aborts it, another caller starts a new one.
 * @returns the session. Its token is valid for at least a few more seconds.
 */
export const ensureCurrent = async (session: Session, options: CallOptions): Promise<Session> => {
  while (session.expiresAt.getTime() - Date.now() <= renewalMs) {
    const running = renewals.get(session);
    if (running === undefined) {
      const renewing = renew(session, options).finally(() => renewals.delete(session));
      renewals.set(session, renewing);
      await renewing;
      break;
    }
    await running.catch((error: unknown) => {
      if (!isAborted(error)) throw error;
    });
  }
  return session;
};
