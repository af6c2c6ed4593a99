import type { AccessTokenCaller, AuthenticatedClient, PendingClient, RegistrationCaller } from "../contract/callers.ts";
import type { Auth, CallerOf, Endpoint } from "../contract/endpoint.ts";
import { appendAuditAlone } from "../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { isDomainError, isOAuthError } from "../kernel/errors.ts";

/** Nouns for the audit actions by operation. For other operations, the noun is `access` or `request`. */
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
 * One audit entry for a request that was refused because of its content or its caller. Concurrent refusals share a
 * statement. There is no entry for a wrong content type, size or JSON syntax of the body, for rate limits (recorded
 * once a minute, see limits) or for errors of the service itself. The reason is our own text and repeats no input.
 */
export const recordRefusal = async (deps: Deps, refused: Refused, error: unknown): Promise<void> => {
  const refusal = reasonOf(refused.endpoint, error);
  if (!refusal) return;
  const clientId = callerId(refused);
  const isAuthentication = refusal.code === "invalid_client";
  await appendAuditAlone(deps.db, {
    at: deps.clock.now(),
    actor: clientId === null || isAuthentication ? { kind: "anonymous", id: "-" } : { kind: "client", id: clientId },
    action: isAuthentication ? "client.authentication_refused" : `${nounOf(refused.endpoint)}.refused`,
    subjectId: clientId ?? "-",
    requestId: refused.info.requestId,
    data: { operation: refused.endpoint.operationId, code: refusal.code, reason: refusal.reason },
  });
};

const nounOf = ({ auth, operationId }: Endpoint): string =>
  nouns[operationId] ?? (auth.kind === "access_token" ? "access" : "request");

/** `use_dpop_nonce` is a step of the protocol, not a refusal (RFC 9449 §8). */
const noRefusals = new Set(["use_dpop_nonce", "server_error", "temporarily_unavailable"]);

const reasonOf = ({ errors }: Endpoint, error: unknown): { code: string; reason: string } | null => {
  if (isOAuthError(error)) return noRefusals.has(error.code) ? null : { code: error.code, reason: error.description };
  // Only pages record domain errors here. At OAuth endpoints, a domain error concerns only the transport, such as a
  // body that is too large. At the other endpoints, the verbs record their own refusals.
  if (errors !== "page" || !isDomainError(error)) return null;
  return error.kind === "unavailable" || error.kind === "rate_limited"
    ? null
    : { code: error.code, reason: error.message };
};

/** The authenticated client; null if the request was refused before authentication. */
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
