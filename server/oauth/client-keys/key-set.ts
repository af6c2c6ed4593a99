import type { KeyObject } from "node:crypto";
import { algorithmOf, findNamedAlgorithm, importPublicJwk, type JwsAlgorithm } from "../../kernel/crypto/jws.ts";

/** The public keys of one client, imported once. */
export type KeySet = {
  /** The one key that a header can mean (RFC 7515 §6): by its `kid`, or the only one for its `alg`; null for none or several. */
  find(header: Readonly<Record<string, unknown>>): KeyObject | null;
  /** To be awaited before `find`, where keys are loaded from elsewhere. @throws OAuthError invalid_client where they can't be. */
  prepare?(header: Readonly<Record<string, unknown>>): Promise<void>;
};

type Member = { kid: unknown; algorithm: JwsAlgorithm; key: KeyObject };

/** @param jwks checked at registration: public keys of our algorithms for signatures. A key that can't be used is left out. */
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
