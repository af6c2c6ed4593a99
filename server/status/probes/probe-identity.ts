import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import type { SealedFile } from "../board/sealed-file.ts";

export type ProbeKey = { privateKey: CryptoKey; publicJwk: Readonly<Record<string, string>> };

/** The identity of one environment's synthetic journeys: keys and secrets that only this process has. */
export type ProbeIdentity = {
  agent: ProbeKey;
  merchant: ProbeKey;
  /** binds the agent's tokens (RFC 9449) */
  proof: ProbeKey;
  /** @returns the refresh token with this hash; null if this process didn't make it. */
  findSecret(hash: string): string | null;
  /** Saves a new secret. @returns its hash. */
  makeSecret(until: Date): Promise<string>;
};

type Stored = { agent: JWK; merchant: JWK; proof: JWK; secrets: string[] };

/** Two secrets are kept: the granted one, and the one that was requested to replace it. */
const keptSecrets = 2;
const alg = "ES256";

const makeKey = async (): Promise<JWK> => exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey);

const makeStored = async (): Promise<Stored> => {
  const [agent, merchant, proof] = await Promise.all([makeKey(), makeKey(), makeKey()]);
  return { agent, merchant, proof, secrets: [] };
};

const toKey = async ({ d, ...jwk }: JWK): Promise<ProbeKey> => {
  const { kty = "", crv = "", x = "", y = "" } = jwk;
  const publicJwk = { kty, crv, x, y, kid: await calculateJwkThumbprint({ kty, crv, x, y }), alg, use: "sig" };
  return { privateKey: (await importJWK({ ...jwk, ...(d === undefined ? {} : { d }) }, alg)) as CryptoKey, publicJwk };
};

/** Reads the identity from the file; creates it if there is none. */
export const openProbeIdentity = async (file: SealedFile): Promise<ProbeIdentity> => {
  const text = await file.read();
  const stored: Stored = text === null ? await makeStored() : JSON.parse(text);
  if (text === null) await file.write(JSON.stringify(stored));
  const keys = await Promise.all([toKey(stored.agent), toKey(stored.merchant), toKey(stored.proof)]);
  return {
    agent: keys[0],
    merchant: keys[1],
    proof: keys[2],
    findSecret: (hash) => stored.secrets.find((secret) => hashDated(secret) === hash) ?? null,
    async makeSecret(until) {
      const secret = newSecretUntil(until);
      stored.secrets = [...stored.secrets, secret].slice(-keptSecrets);
      await file.write(JSON.stringify(stored));
      return hashDated(secret);
    },
  };
};
