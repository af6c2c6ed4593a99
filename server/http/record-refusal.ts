import type { AccessTokenCaller, AuthenticatedClient, PendingClient, RegistrationCaller } from "../contract/callers.ts";
import type { Auth, CallerOf, Endpoint } from "../contract/endpoint.ts";
import { appendAuditAlone } from "../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { isDomainError, isOAuthError } from "../kernel/errors.ts";

/** What was refused, by operation; any other is a `request.refused`. */
const nouns: Readonly<Record<string, string>> = {
  pushAuthorizationRequest: "authorization_request",
  authorize: "authorization_request",
  authorizeByForm: "authorization_request",
  decideConsent: "consent",
  token: "token",
  introspectToken: "introspection",
  revokeToken: "revocation",
  registerClient: "registration",
  readClientRegistration: "registration",
  replaceClientRegistration: "registration",
  deleteClient: "registration",
};

type Refused = { endpoint: Endpoint; info: RequestInfo; caller: CallerOf<Auth> };

/**
 * One audit entry for a request that was refused for what it asked or by whom; requests that wait at the same moment
 * share a statement. Nothing for a malformed one, for a limit, whose refusals are told once a minute (limits), and for
 * what the service itself can't do now. The reason is our words, which echo no input.
 */
export const recordRefusal = async (deps: Deps, refused: Refused, error: unknown): Promise<void> => {
  const told = reasonOf(refused.endpoint, error);
  if (!told) return;
  const clientId = callerId(refused);
  const isAuthentication = told.code === "invalid_client";
  await appendAuditAlone(deps.db, {
    at: deps.clock.now(),
    actor: clientId === null || isAuthentication ? { kind: "anonymous", id: "-" } : { kind: "client", id: clientId },
    action: isAuthentication ? "client.authentication_refused" : `${nounOf(refused.endpoint)}.refused`,
    subjectId: clientId ?? "-",
    requestId: refused.info.requestId,
    data: { operation: refused.endpoint.operationId, code: told.code, reason: told.reason },
  });
};

const nounOf = ({ auth, operationId }: Endpoint): string =>
  nouns[operationId] ?? (auth.kind === "access_token" ? "access" : "request");

/** A demand for a nonce is a step of the protocol (RFC 9449 §8). */
const noRefusals = new Set(["use_dpop_nonce", "server_error", "temporarily_unavailable"]);

const reasonOf = ({ errors }: Endpoint, error: unknown): { code: string; reason: string } | null => {
  if (isOAuthError(error)) return noRefusals.has(error.code) ? null : { code: error.code, reason: error.description };
  // At OAuth's endpoints a domain error is about the transport; elsewhere verbs record what they refuse.
  if (errors !== "page" || !isDomainError(error)) return null;
  return error.kind === "unavailable" || error.kind === "rate_limited"
    ? null
    : { code: error.code, reason: error.message };
};

/** The client whose proof held, as far as the request came. */
const callerId = ({ endpoint, caller }: Refused): string | null => {
  if (caller === null) return null;
  switch (endpoint.auth.kind) {
    case "client":
      return (caller as AuthenticatedClient).id;
    case "pending_client":
      return (caller as PendingClient).client.id;
    case "registration_token":
      return (caller as RegistrationCaller).registration.id;
    case "access_token":
      return (caller as AccessTokenCaller).clientId;
    default:
      return null;
  }
};
