import { type FieldProblem, ProblemError, type Reason } from "../errors/errors.ts";
import { isMembers, type Members, parseMembers, textOrNull } from "../wire/members.ts";
import { toCamel } from "../wire/names.ts";
import type { Answer } from "./answer.ts";

/** The code of an error response. OAuth errors have it in `error`; problem details have it in `type`, after the `#`. */
const codeOf = (members: Members): string =>
  textOrNull(members, "error") ?? textOrNull(members, "type")?.split("#")[1] ?? "unknown_problem";

const listOf = (members: Members, name: string): Members[] => {
  const value = members[name];
  return Array.isArray(value) ? value.filter(isMembers) : [];
};

const toFieldProblem = (error: Members): FieldProblem => ({
  pointer: textOrNull(error, "pointer") ?? "",
  detail: textOrNull(error, "detail") ?? "",
});

const toReason = (reason: Members): Reason => ({
  code: textOrNull(reason, "code") ?? "",
  constraint: textOrNull(reason, "constraint") ?? "",
  remedy: isMembers(reason["remedy"]) ? (toCamel(reason["remedy"]) as Reason["remedy"]) : null,
});

const toDecline = (members: Members) => {
  const chargeId = textOrNull(members, "charge_id");
  if (chargeId === null) return null;
  return {
    chargeId,
    declineCode: textOrNull(members, "decline_code") ?? "",
    retryable: members["retryable"] === true,
    advice: textOrNull(members, "advice") ?? "",
  };
};

/** RFC 9110 §10.2.3. The server sends seconds. */
const toSeconds = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;

/** The error for a response with a status of 400 or above. */
export const readProblem = ({ status, headers, text }: Answer): ProblemError => {
  const members = parseMembers(text) ?? {};
  return new ProblemError({
    status,
    serverCode: codeOf(members),
    title: textOrNull(members, "title") ?? `HTTP ${status}`,
    detail: textOrNull(members, "detail") ?? textOrNull(members, "error_description") ?? "",
    errors: listOf(members, "errors").map(toFieldProblem),
    reasons: listOf(members, "reasons").map(toReason),
    decline: toDecline(members),
    retryAfterSeconds: toSeconds(headers.get("retry-after")),
    requestId: headers.get("x-request-id"),
  });
};
