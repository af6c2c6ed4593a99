import { DomainError, isOAuthError } from "../../kernel/errors.ts";

/** The form field of a metadata member. */
const fields: Readonly<Record<string, string>> = {
  client_name: "name",
  scope: "scopes",
  jwks: "jwk",
  jwks_uri: "jwksUri",
};

const fieldNames: Readonly<Record<string, string>> = {
  name: "The name",
  scopes: "The scopes",
  jwk: "The key",
  jwksUri: "The address of the keys",
};

/** Converts refused client metadata to a form error at its field. Other errors are returned unchanged. */
export const metadataRefusal = (error: unknown): unknown => {
  if (!isOAuthError(error)) return error;
  if (error.code === "temporarily_unavailable") {
    return new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "New keys can’t be accepted at the moment. Try again later.",
      cause: error,
    });
  }
  const [member = "", ...problem] = error.description.split(": ");
  return ownFieldRefusal(fields[member] ?? "jwk", problem.join(": ") || error.description, error);
};

const ownFieldRefusal = (field: string, detail: string, cause?: unknown): DomainError =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: `${fieldNames[field]}: ${detail}.`,
    errors: [{ pointer: `/${field}`, detail }],
    cause,
  });
