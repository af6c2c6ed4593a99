import type { Actor } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, isOAuthError } from "../../kernel/errors.ts";
import { enrolClient } from "./enrol-client.ts";

type Input = {
  merchantId: string;
  name: string;
  scopes: readonly string[];
  /** a public key */
  jwk: object;
  actor: Actor;
  requestId: string;
};

export type OwnClient = {
  clientId: string;
  /** returned once: reads, replaces and deletes the registration (RFC 7592) */
  registrationAccessToken: string;
  registrationUri: string;
};

/**
 * A member registers a client of their merchant. The session is the permission, without an initial access token.
 * @throws DomainError invalid, naming the field.
 */
export const registerOwnClient = async (deps: Deps, input: Input): Promise<OwnClient> => {
  const { merchantId, name, scopes, jwk, actor, requestId } = input;
  if (scopes.length === 0) throw fieldRefusal("scopes", "choose at least one");
  const metadata = {
    client_name: name,
    grant_types: ["client_credentials"],
    scope: scopes.join(" "),
    jwks: { keys: [jwk] },
  };
  const takePermission = async () => merchantId;
  try {
    const enrolment = { metadata, kind: "merchant", initial: null, takePermission, actor, requestId } as const;
    const client = await enrolClient(deps, enrolment);
    return {
      clientId: client.client_id,
      registrationAccessToken: client.registration_access_token,
      registrationUri: client.registration_client_uri,
    };
  } catch (error) {
    if (!isOAuthError(error)) throw error;
    if (error.code === "temporarily_unavailable") {
      throw new DomainError("unavailable", {
        code: "temporarily_unavailable",
        message: "New keys can’t be accepted at the moment. Try again later.",
        cause: error,
      });
    }
    const [member = "", ...problem] = error.description.split(": ");
    throw fieldRefusal(fields[member] ?? "jwk", problem.join(": ") || error.description, error);
  }
};

/** The form field of a metadata member. */
const fields: Readonly<Record<string, string>> = { client_name: "name", scope: "scopes", jwks: "jwk" };

const fieldNames: Readonly<Record<string, string>> = { name: "The name", scopes: "The scopes", jwk: "The key" };

const fieldRefusal = (field: string, detail: string, cause?: unknown): DomainError =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: `${fieldNames[field]}: ${detail}.`,
    errors: [{ pointer: `/${field}`, detail }],
    cause,
  });
