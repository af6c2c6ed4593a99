import { OAuthError } from "../../../kernel/errors.ts";

export type Presented = { scheme: "bearer" | "dpop"; token: string };

/**
 * Reads a scheme, whose name is case-insensitive, and one token68 (RFC 6750 §2.1, RFC 9449 §7.1). @returns null for
 * anything else.
 */
export const parseAuthorization = (header: string | null): Presented | null => {
  const match = /^(bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "");
  if (!match?.[1] || !match[2]) return null;
  return { scheme: match[1].toLowerCase() === "dpop" ? "dpop" : "bearer", token: match[2] };
};

type Challenge = {
  error?: { code: string; description: string };
  scope?: string;
  /** requests that the payer signs in again (RFC 9470 §3) */
  maxAgeSeconds?: number;
  resourceMetadata: string;
  dpopAlgorithms: readonly string[];
};

/**
 * Returns the challenges of both schemes that a resource accepts, each with the error (RFC 6750 §3, RFC 9449 §7.1,
 * RFC 9470 §3, RFC 9728 §5.1).
 */
export const challenge = (input: Challenge): string => {
  const parameters = [
    ...(input.error ? [`error="${input.error.code}"`, `error_description="${input.error.description}"`] : []),
    ...(input.scope ? [`scope="${input.scope}"`] : []),
    ...(input.maxAgeSeconds !== undefined ? [`max_age="${input.maxAgeSeconds}"`] : []),
    `resource_metadata="${input.resourceMetadata}"`,
  ];
  return [
    `DPoP ${[...parameters, `algs="${input.dpopAlgorithms.join(" ")}"`].join(", ")}`,
    `Bearer ${parameters.join(", ")}`,
  ].join(", ");
};

/** Returns the error of a resource, 401 or 403, with its challenge (RFC 6750 §3.1). */
export const tokenRefusal = (
  code:
    | "invalid_token"
    | "insufficient_scope"
    | "invalid_dpop_proof"
    | "use_dpop_nonce"
    | "insufficient_user_authentication",
  description: string,
  context: {
    resourceMetadata: string;
    dpopAlgorithms: readonly string[];
    scope?: string;
    maxAgeSeconds?: number;
    headers?: Record<string, string>;
    /** no token was presented: the challenge has no error code (RFC 6750 §3.1) */
    isUnauthenticated?: boolean;
  },
): OAuthError =>
  new OAuthError(code, description, {
    status: code === "insufficient_scope" ? 403 : 401,
    headers: {
      "www-authenticate": challenge(context.isUnauthenticated ? context : { ...context, error: { code, description } }),
      ...context.headers,
    },
  });

/**
 * The challenge of an endpoint that accepts only Bearer. Without a token, the header has no error code (RFC 6750 §3.1).
 */
export const bearerChallenge = (description: string | null): { headers: Record<string, string> } => ({
  headers: {
    "www-authenticate":
      description === null ? "Bearer" : `Bearer error="invalid_token", error_description="${description}"`,
  },
});
