/** What the authorization server adds to the redirect URI (RFC 6749 §4.1.2, RFC 9207 §2). */
export type AuthorizationResponse = {
  iss: string;
  state: string | null;
  code: string | null;
  error: string | null;
};

export type ConsentResult =
  | { status: "approved"; code: string; state: string | null; iss: string }
  | { status: "declined" }
  | { status: "closed" }
  | { status: "timed_out" }
  | { status: "blocked" };

/** The server refused the request; `code` is its error code (RFC 6749 §4.1.2.1). */
class ConsentError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The authorization server answered with the error ${code}.`);
    this.name = "ConsentError";
    this.code = code;
  }
}

/**
 * @returns null if the query is not a response. A response has an issuer and either a code or an error, and no repeated
 * member.
 */
export const readResponse = (search: string): AuthorizationResponse | null => {
  const query = new URLSearchParams(search);
  const names = ["iss", "state", "code", "error"] as const;
  if (names.some((name) => query.getAll(name).length > 1)) return null;
  const [iss, state, code, error] = names.map((name) => query.get(name));
  if (!iss || !code === !error) return null;
  return { iss, state: state ?? null, code: code ?? null, error: error ?? null };
};

/** @throws ConsentError for every error except `access_denied`, which means that the payer declined. */
export const resultOf = ({ iss, state, code, error }: AuthorizationResponse): ConsentResult => {
  if (code !== null) return { status: "approved", code, state, iss };
  if (error === "access_denied") return { status: "declined" };
  throw new ConsentError(error ?? "server_error");
};

const messageType = "paygrant-response";

/** The message from the callback page to the page that opened it. */
export const toMessage = (response: AuthorizationResponse): object => ({ ...response, type: messageType });

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** @returns null if the data isn't a message of `toMessage`. */
export const readMessage = (data: unknown): AuthorizationResponse | null => {
  const { type, iss, state, code, error } = Object(data) as Record<string, unknown>;
  if (type !== messageType || typeof iss !== "string") return null;
  if (!isTextOrNull(state) || !isTextOrNull(code) || !isTextOrNull(error) || !code === !error) return null;
  return { iss, state, code, error };
};
