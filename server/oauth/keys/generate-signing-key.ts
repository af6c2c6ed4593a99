import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { NewSigningKey } from "../../data/oauth/signing-keys.ts";
import type { Sealer } from "../../kernel/crypto/seal.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";

const generate = promisify(generateKeyPair);

/** The private key can be decrypted only in the row of its own kid and purpose. */
export const sealContext = ({ kid, purpose }: { kid: string; purpose: string }): string =>
  `signing_key:${purpose}:${kid}`;

/** ES256. The kid is the RFC 7638 thumbprint. The private key is returned sealed. */
export const generateSigningKey = async (
  sealer: Sealer,
  { purpose, state }: { purpose: KeyPurpose; state: "next" | "active" },
): Promise<NewSigningKey> => {
  const { publicKey, privateKey } = await generate("ec", { namedCurve: "P-256" });
  const publicJwk = publicKey.export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateSealed = sealer.seal(
    JSON.stringify(privateKey.export({ format: "jwk" })),
    sealContext({ kid, purpose }),
  );
  return {
    kid,
    purpose,
    alg: "ES256",
    publicJwk: { ...publicJwk, kid, alg: "ES256", use: "sig" },
    privateSealed,
    state,
  };
};
