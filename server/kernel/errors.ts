/**
 * Errors that a caller may see. Every other error is a fault: it is logged in full and its details aren't sent.
 * These errors have a brand, because `instanceof` fails: Next bundles its own copy of this module.
 */
const brand = Symbol.for("paygrant.error");

/** RFC 6749 §4.1.2.1 and §5.2, and the codes of the other standards that we implement. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  | "invalid_token" // RFC 6750 §3.1
  | "insufficient_scope" // RFC 6750 §3.1
  | "request_not_supported" // OpenID Connect Core §3.1.2.6
  | "login_required" // OpenID Connect Core §3.1.2.6
  | "invalid_target" // RFC 8707 §2
  | "invalid_redirect_uri" // RFC 7591 §3.2.2
  | "invalid_client_metadata" // RFC 7591 §3.2.2
  | "invalid_software_statement" // RFC 7591 §3.2.2
  | "unapproved_software_statement" // RFC 7591 §3.2.2
  | "invalid_authorization_details" // RFC 9396 §5
  | "invalid_dpop_proof" // RFC 9449 §5
  | "use_dpop_nonce" // RFC 9449 §8
  | "insufficient_user_authentication" // RFC 9470 §3
  | "unmet_authentication_requirements" // RFC 9470 §5, OpenID Connect Core Unmet Authentication Requirements §1
  | "unsupported_token_type" // RFC 7009 §2.2.1
  | "invalid_trust_anchor" // OpenID Federation 1.0, Error Responses
  | "not_found" // the same
  | "unsupported_parameter" // the same
  | "invalid_grant_id"; // Grant Management for OAuth 2.0

/** Sent as RFC 6749 §5.2 JSON. `description` is our text, within the characters of §5.2, and repeats no input. */
export class OAuthError extends Error {
  readonly [brand] = "oauth";
  readonly code: OAuthErrorCode;
  readonly description: string;
  /** Overrides the default status of the code. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the broken rule, for callers that use their own wording; null if the rule has no name. */
  readonly rule: string | null;

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { status?: number; headers?: Record<string, string>; rule?: string; cause?: unknown } = {},
  ) {
    super(`${code}: ${description}`, { cause: options.cause });
    this.name = "OAuthError";
    this.code = code;
    this.description = description;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.rule = options.rule ?? null;
  }
}

export type DomainErrorKind =
  | "invalid" // 400
  | "unauthenticated" // 401
  | "payment_failed" // 402
  | "forbidden" // 403
  | "not_found" // 404
  | "conflict" // 409
  | "unprocessable" // 422
  | "rate_limited" // 429
  | "unavailable"; // 503

/**
 * One invalid field: `pointer` is an RFC 6901 JSON pointer into the body, or `#` and the name of a parameter or header.
 */
export type FieldError = { pointer: string; detail: string };

type DomainErrorFields = {
  /** Stable, machine-readable, snake_case; the last part of the problem's `type`. */
  code: string;
  message: string;
  errors?: readonly FieldError[];
  /** Additional members of the problem, in wire names. */
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** Sent as RFC 9457 problem details, or as a typed tRPC error. */
export class DomainError extends Error {
  readonly [brand] = "domain";
  readonly kind: DomainErrorKind;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: DomainErrorKind,
    { code, message, errors = [], members = {}, headers = {}, cause }: DomainErrorFields,
  ) {
    super(message, { cause });
    this.name = "DomainError";
    this.kind = kind;
    this.code = code;
    this.errors = errors;
    this.members = members;
    this.headers = headers;
  }
}

/** A text without a full stop: it becomes part of a sentence. */
type Clause<Text extends string> = Text extends `${string}.` ? never : Text;

/**
 * A refused field. The message is the field's name followed by `detail`. For whole sentences, use `sentenceRefusal`.
 * @param pointer JSON pointer or, for a query parameter, `#name`
 */
export const fieldRefusal = <const Detail extends string>(pointer: string, detail: Clause<Detail>): DomainError =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: `${pointer.slice(1)} ${detail}.`,
    errors: [{ pointer, detail }],
  });

/** A refused field, with a message that doesn't begin with the field's name. @param message whole sentences */
export const sentenceRefusal = (pointer: string, message: string): DomainError =>
  new DomainError("invalid", { code: "invalid_request", message, errors: [{ pointer, detail: message }] });

const brandOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null ? (error as { [brand]?: unknown })[brand] : undefined;

export const isOAuthError = (error: unknown): error is OAuthError => brandOf(error) === "oauth";
export const isDomainError = (error: unknown): error is DomainError => brandOf(error) === "domain";
