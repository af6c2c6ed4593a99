/** Codes of the authorization server's error responses (RFC 6749 §5.2 and the standards that extend it). */
const oauthCodes = [
  "access_denied",
  "insufficient_scope",
  "insufficient_user_authentication",
  "invalid_authorization_details",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_dpop_proof",
  "invalid_grant",
  "invalid_grant_id",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_software_statement",
  "invalid_target",
  "invalid_token",
  "request_not_supported",
  "server_error",
  "temporarily_unavailable",
  "unapproved_software_statement",
  "unauthorized_client",
  "unmet_authentication_requirements",
  "unsupported_grant_type",
  "unsupported_response_type",
  "unsupported_token_type",
  "use_dpop_nonce",
] as const;

/** Codes of problem details (RFC 9457): the last part of `type`. */
const problemCodes = [
  "billing_overdue",
  "billing_plan_ended",
  "body_too_large",
  "card_declined",
  "charge_expired",
  "charge_in_use",
  "charge_not_authorized",
  "charge_not_found",
  "charge_not_refundable",
  "declined_by_payer",
  "exceeds_authorized",
  "exceeds_captured",
  "headers_too_large",
  "idempotency_key_in_use",
  "idempotency_key_reused",
  "mandate_not_found",
  "merchant_declined",
  "merchant_pending",
  "merchant_suspended",
  "method_not_allowed",
  "not_acceptable",
  "not_found",
  "not_submitted",
  "processor_not_connected",
  "processor_refused",
  "processor_unavailable",
  "refund_not_found",
  "refused_by_mandate",
  "request_timeout",
  "status_list_unavailable",
  "too_many_connections",
  "too_many_requests",
  "too_many_waiting",
  "unknown_mandate",
  "unknown_status_list",
  "unsupported_media_type",
] as const;

/**
 * The code with which the server refused a request. A code that this version of the package doesn't know becomes
 * `unknown_problem`; `problem.serverCode` of the error contains the original code.
 */
export type ProblemCode = (typeof oauthCodes)[number] | (typeof problemCodes)[number] | "unknown_problem";

/** Why a request got no usable response. */
export type RequestCode = "aborted" | "timed_out" | "network_error" | "invalid_response";

/** Why a signed statement, a callback or a webhook isn't accepted. */
export type VerificationCode =
  | "malformed"
  | "untrusted_issuer"
  | "unknown_key"
  | "invalid_signature"
  | "not_yet_valid"
  | "expired"
  | "audience_mismatch"
  | "subject_mismatch"
  | "nonce_mismatch"
  | "key_binding_missing"
  | "key_binding_mismatch"
  | "credential_revoked"
  | "credential_suspended"
  | "invalid_status_list"
  | "state_mismatch"
  | "issuer_mismatch"
  | "redirect_uri_mismatch"
  | "code_missing"
  | "tree_size_mismatch"
  | "proof_mismatch";

const known: ReadonlySet<string> = new Set([...oauthCodes, ...problemCodes]);

const isKnown = (code: string): code is ProblemCode => known.has(code);

export const toProblemCode = (code: string): ProblemCode => (isKnown(code) ? code : "unknown_problem");
