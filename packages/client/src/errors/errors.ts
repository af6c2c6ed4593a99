import type { MandateRequest } from "../agents/mandate.ts";
import { type ProblemCode, type RequestCode, toProblemCode, type VerificationCode } from "./codes.ts";

/** One invalid field: an RFC 6901 JSON pointer into the body, or `#` and a parameter's name. */
export type FieldProblem = { pointer: string; detail: string };

/** Why a mandate doesn't allow a payment. */
export type Reason = {
  code: string;
  constraint: string;
  /** `authorizationDetails` requests a mandate for this payment only; push it unchanged */
  remedy: { authorizationDetails?: readonly MandateRequest[] } | null;
};

/** The content of the server's error response. */
export type ProblemDetails = {
  status: number;
  /** the code as the server sent it */
  serverCode: string;
  title: string;
  detail: string;
  /** the invalid fields of the request, if any */
  errors: readonly FieldProblem[];
  /** why the mandate doesn't allow the payment; only with the code `refused_by_mandate` */
  reasons: readonly Reason[];
  /** the declined charge, and what to do about it; only with status 402 */
  decline: { chargeId: string; declineCode: string; retryable: boolean; advice: string } | null;
  /** how long to wait before a retry, if the server sent this */
  retryAfterSeconds: number | null;
  /** identifies the request in the server's log */
  requestId: string | null;
};

/** The server refused the request. `code` is the server's code, or `unknown_problem`. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly kind = "problem";
  readonly code: ProblemCode;
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(`${problem.serverCode}: ${problem.detail || problem.title}`);
    this.code = toProblemCode(problem.serverCode);
    this.problem = problem;
  }
}

/** No usable response arrived. Whether the server handled the request is unknown. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly kind = "request";
  readonly code: RequestCode;

  constructor(code: RequestCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** A signed statement, a callback or a webhook isn't genuine, isn't valid now, or isn't meant for the caller. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  readonly kind = "verification";
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Everything that the functions of this package throw, apart from a TypeError for a misused parameter. */
export type PaygrantError = ProblemError | RequestError | VerificationError;

export const isPaygrantError = (error: unknown): error is PaygrantError =>
  error instanceof ProblemError || error instanceof RequestError || error instanceof VerificationError;
