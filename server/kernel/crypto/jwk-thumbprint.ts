import type { KeyObject } from "node:crypto";
import { sha256Base64url } from "./hash.ts";

/** RFC 7638 §3.2, RFC 8037 §2: the required members in lexicographic order. */
export const thumbprintMembers = ({ kty, crv, e, n, x, y }: Readonly<Record<string, unknown>>): string => {
  if (kty === "RSA") return JSON.stringify({ e, kty, n });
  return JSON.stringify(kty === "OKP" ? { crv, kty, x } : { crv, kty, x, y });
};

/**
 * RFC 7638: base64url SHA-256, 43 characters. JWKs that encode the same key differently have the same thumbprint,
 * because the members are exported from the imported key.
 */
export const thumbprintOfKey = (key: KeyObject): string =>
  sha256Base64url(thumbprintMembers({ ...key.export({ format: "jwk" }) }));
