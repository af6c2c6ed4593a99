import type { Client } from "../clients/client.ts";
import { ProblemError, VerificationError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { type Grant, readGrant } from "./grant.ts";
import type { PushedRequest } from "./push-mandate-request.ts";
import { requestToken } from "./request-token.ts";

export type CodeToExchange = {
  /** the complete URL to which the server redirected the payer's browser */
  callbackUrl: string | URL;
  request: PushedRequest;
};

/** Whether the callback is at the redirect URI and has all query parameters of this URI (RFC 6749 §3.1.2). */
const isAt = (callback: URL, redirectUri: string): boolean => {
  const expected = new URL(redirectUri);
  const keepsQuery = [...expected.searchParams].every(([name, value]) =>
    callback.searchParams.getAll(name).includes(value),
  );
  return callback.origin === expected.origin && callback.pathname === expected.pathname && keepsQuery;
};

const toUrl = (callbackUrl: string | URL): URL => {
  if (callbackUrl instanceof URL || URL.canParse(callbackUrl)) return new URL(callbackUrl);
  throw new VerificationError("malformed", "callbackUrl isn't a complete URL.");
};

const refusalIn = ({ searchParams }: URL): ProblemError | null => {
  const error = searchParams.get("error");
  if (error === null) return null;
  const nothing = { errors: [], reasons: [], decline: null, retryAfterSeconds: null, requestId: null };
  const detail = searchParams.get("error_description") ?? "";
  return new ProblemError({ status: 303, serverCode: error, title: "The server issued no code", detail, ...nothing });
};

/** Checks that the callback is the response of this server to this request (RFC 6749 §10.12, RFC 9207 §2.4). */
const readCode = (url: URL, { request, issuer }: { request: PushedRequest; issuer: string }): string => {
  if (!isAt(url, request.redirectUri)) {
    throw new VerificationError("redirect_uri_mismatch", "The callback isn't at the redirect URI of the request.");
  }
  if (url.searchParams.get("state") !== request.state) {
    throw new VerificationError("state_mismatch", "The callback belongs to another request.");
  }
  if (url.searchParams.get("iss") !== issuer) {
    throw new VerificationError("issuer_mismatch", "The callback comes from another server.");
  }
  const refusal = refusalIn(url);
  if (refusal) throw refusal;
  const code = url.searchParams.get("code");
  if (!code) throw new VerificationError("code_missing", "The callback has no code.");
  return code;
};

/**
 * Checks the callback and exchanges its code for a grant.
 * @throws ProblemError access_denied if the payer declined; VerificationError if the callback isn't the response to
 *   this request.
 */
export const exchangeCode = async (
  agent: Client,
  { callbackUrl, request }: CodeToExchange,
  options: CallOptions = {},
): Promise<Grant> => {
  const code = readCode(toUrl(callbackUrl), { request, issuer: agent.server.issuer });
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: request.redirectUri,
    code_verifier: request.codeVerifier,
  };
  return readGrant(await requestToken(agent, fields, options), null);
};
