import { DomainError, isOAuthError } from "../../kernel/errors.ts";

/** The form field, and its name in messages, of each metadata member. */
type MemberFields = Readonly<Record<string, readonly [field: string, name: string]>>;

const fields = {
  client_name: ["name", "The name"],
  scope: ["scopes", "The scopes"],
  jwks: ["jwk", "The key"],
  jwks_uri: ["jwksUri", "The URL of the keys"],
} as const;

/** Converts refused metadata of an own client to a form error at its field. Other errors are returned unchanged. */
export const metadataRefusal = (error: unknown): unknown => {
  if (isOAuthError(error) && error.code === "temporarily_unavailable") {
    return new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "New keys can’t be accepted at the moment. Try again later.",
      cause: error,
    });
  }
  return memberRefusal(error, fields, fields.jwks);
};

/**
 * Converts refused client metadata to a form error at its field. Other errors are returned unchanged.
 * @param otherwise the field for members that the form doesn't have.
 */
export const memberRefusal = (error: unknown, fields: MemberFields, otherwise: readonly [string, string]): unknown => {
  if (!isOAuthError(error)) return error;
  const [member = "", ...problem] = error.description.split(": ");
  const [field, name] = fields[member] ?? otherwise;
  const detail = problem.join(": ") || error.description;
  return new DomainError("invalid", {
    code: "invalid_request",
    message: `${name}: ${detail}.`,
    errors: [{ pointer: `/${field}`, detail }],
    cause: error,
  });
};
