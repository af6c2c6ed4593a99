import type { KeyObject } from "node:crypto";
import type { KeySet } from "../../contract/callers.ts";
import { algorithmOf, findNamedAlgorithm, importPublicJwk, type JwsAlgorithm } from "../../kernel/crypto/jws.ts";

type Member = { kid: unknown; algorithm: JwsAlgorithm; key: KeyObject };

/** @param jwks public signature keys, checked at registration. Unusable keys are omitted. */
export const createKeySet = (jwks: { readonly keys: readonly object[] }): KeySet => {
  const members = jwks.keys.flatMap((jwk): Member[] => {
    const key = importPublicJwk(jwk);
    const { kid } = jwk as Record<string, unknown>;
    const algorithm = key && algorithmOf(key);
    return key && algorithm ? [{ kid, algorithm, key }] : [];
  });
  return {
    find({ kid, alg }) {
      const algorithm = findNamedAlgorithm(alg);
      const [found, ...others] = members.filter(
        (member) => member.algorithm === algorithm && (kid === undefined || member.kid === kid),
      );
      return found && others.length === 0 ? found.key : null;
    },
  };
};
