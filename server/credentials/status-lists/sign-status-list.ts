import { SignJWT } from "jose";
import type { StatusListKind } from "../../data/credentials/status-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import type { SigningKey } from "../../deps/key-ring.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import type { FlaggedIndexes } from "../rules/status-bits.ts";
import { bitstringStatusListCredential, statusListTokenClaims } from "../rules/status-list-claims.ts";

type ListInput = { listId: string; kind: StatusListKind; flagged: FlaggedIndexes; from: Date; until: Date };

/** @returns the list as a compact JWS; its `typ` depends on the kind of list. */
export const signList = (
  { config }: Pick<Deps, "config">,
  { alg, kid, privateKey }: SigningKey,
  { kind, ...list }: ListInput,
): Promise<string> => {
  const input = { baseUrl: config.baseUrl, ...list };
  const jwt =
    kind === "token"
      ? new SignJWT(statusListTokenClaims(input)).setProtectedHeader({ alg, kid, typ: "statuslist+jwt" })
      : // VC-JOSE-COSE §3.1.1: the payload is the credential itself.
        new SignJWT(bitstringStatusListCredential({ ...input, purpose: kind })).setProtectedHeader({
          alg,
          kid,
          typ: "vc+jwt",
          cty: "vc",
        });
  return jwt.sign(privateKey);
};

/** A strong entity tag (RFC 9110 §8.8.3). */
export const etagOf = (body: string): string => `"${sha256Base64url(body)}"`;
