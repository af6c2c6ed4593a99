import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import type { SealedFile } from "../board/sealed-file.ts";

export type ProbeKey = { privateKey: CryptoKey; publicJwk: Readonly<Record<string, string>> };

/** Who the trials of one environment are made by: keys and secrets that this process made and nobody else has. */
export type ProbeIdentity = {
  agent: ProbeKey;
  merchant: ProbeKey;
  /** binds the agent's tokens (RFC 9449) */
  proof: ProbeKey;
  /** @returns the refresh token of that hash; null: it is not one of ours. */
  findSecret(hash: string): string | null;
  /** @returns the hash of a new one, which is kept by then. */
  makeSecret(until: Date): Promise<string>;
};

type Stored = { agent: JWK; merchant: JWK; proof: JWK; secrets: string[] };

/** One that was granted, and one that is asked for in its place. */
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

/** As the file holds it; a new one where it holds none. */
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
