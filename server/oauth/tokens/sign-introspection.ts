import type { AuthenticatedClient } from "../../contract/callers.ts";
import type { Deps } from "../../deps/deps.ts";
import { signJws } from "../../kernel/crypto/jws.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { Introspection } from "./introspect-token.ts";

export const introspectionAlgorithms = ["ES256"] as const;

/**
 * An introspection response as a JWT for one caller (RFC 9701 §5). The JWT itself has no `sub` and no `exp`, so that it
 * can't be used as an access token (§8.1).
 */
export const signIntrospection = (
  { config, clock, keys }: Deps,
  input: { client: AuthenticatedClient; introspection: Introspection },
): string => {
  const key = keys.signingKey("receipt");
  const claims = {
    iss: config.baseUrl,
    aud: input.client.id,
    iat: epochSeconds(clock.now()),
    token_introspection: input.introspection,
  };
  return signJws({ alg: key.alg, typ: "token-introspection+jwt", kid: key.kid }, claims, key.privateKey);
};
