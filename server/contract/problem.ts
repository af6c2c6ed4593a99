import type { DomainError, DomainErrorKind, OAuthError, OAuthErrorCode } from "../kernel/errors.ts";
import type { Reply } from "./endpoint.ts";

const statusOfKind: Readonly<Record<DomainErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_failed: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** Codes whose HTTP status differs from the status of their kind. */
const statusOfCode: Readonly<Record<string, number>> = {
  body_too_large: 413,
  method_not_allowed: 405,
  not_acceptable: 406,
  precondition_failed: 412,
  precondition_required: 428,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  headers_too_large: 431,
  request_timeout: 408,
  server_error: 500,
};

export const domainStatus = (error: DomainError): number => statusOfCode[error.code] ?? statusOfKind[error.kind];

/** RFC 9457 problem details; `type` is a page under /docs that explains the code. */
export const problemReply = (error: DomainError, baseUrl: string): Reply => {
  const status = domainStatus(error);
  return {
    status,
    headers: { "cache-control": "no-store", ...error.headers },
    contentType: "application/problem+json",
    body: {
      type: `${baseUrl}/docs/errors#${error.code}`,
      title: titleOf(error.code),
      status,
      detail: error.message,
      ...(error.errors.length > 0 ? { errors: error.errors } : {}),
      ...error.members,
    },
  };
};

const titleOf = (code: string): string => {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const unauthorizedCodes: ReadonlySet<OAuthErrorCode> = new Set(["invalid_client", "invalid_token"]);

/** Status of an OAuth error: 401 for failed authentication, 403 for scope (RFC 6750 §3.1), else 400. */
const oauthStatus = (error: OAuthError): number =>
  error.status ?? (unauthorizedCodes.has(error.code) ? 401 : error.code === "insufficient_scope" ? 403 : 400);

/** RFC 6749 §5.2 JSON, never cached (§5.1). */
export const oauthErrorReply = (error: OAuthError): Reply => ({
  status: oauthStatus(error),
  headers: { "cache-control": "no-store", pragma: "no-cache", ...error.headers },
  body: { error: error.code, error_description: error.description },
});
