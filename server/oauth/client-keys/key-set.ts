import type { KeyObject } from "node:crypto";
import type { KeySet } from "../../contract/callers.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { thumbprintOfKey } from "../../kernel/crypto/jwk-thumbprint.ts";
import { algorithmOf, findNamedAlgorithm, importPublicJwk, type JwsAlgorithm } from "../../kernel/crypto/jws.ts";

type Member = { kid: unknown; algorithm: JwsAlgorithm; key: KeyObject; isBlocked: boolean };

type Header = Readonly<Record<string, unknown>>;

/**
 * @param jwks public signature keys, checked at registration. Unusable keys are omitted.
 * @param blockedHashes hashes of the thumbprints of the keys that are on the blocklist
 */
export const createKeySet = (
  jwks: { readonly keys: readonly object[] },
  blockedHashes: readonly string[] = [],
): KeySet => {
  const isBlocked = (key: KeyObject): boolean =>
    blockedHashes.length > 0 && blockedHashes.includes(sha256Base64url(thumbprintOfKey(key)));
  const members = jwks.keys.flatMap((jwk): Member[] => {
    const key = importPublicJwk(jwk);
    const { kid } = jwk as Record<string, unknown>;
    const algorithm = key && algorithmOf(key);
    return key && algorithm ? [{ kid, algorithm, key, isBlocked: isBlocked(key) }] : [];
  });
  const findMember = ({ kid, alg }: Header): Member | null => {
    const algorithm = findNamedAlgorithm(alg);
    const [found, ...others] = members.filter(
      (member) => member.algorithm === algorithm && (kid === undefined || member.kid === kid),
    );
    return found && others.length === 0 ? found : null;
  };
  const findIf = (header: Header, wanted: boolean): KeyObject | null => {
    const member = findMember(header);
    return member?.isBlocked === wanted ? member.key : null;
  };
  return { find: (header) => findIf(header, false), findBlocked: (header) => findIf(header, true) };
};
