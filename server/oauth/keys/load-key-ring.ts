import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { appendAudit } from "../../data/audit.ts";
import type { Db, Tx } from "../../data/client.ts";
import { findLiveSigningKeys, insertSigningKey, lockSigningKeys, type SigningKeyRow } from "../../data/signing-keys.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Sealer } from "../../kernel/seal.ts";
import type { KeyPurpose, KeyRing, SigningKey, VerificationKey } from "./key-ring.ts";

const purposes: readonly KeyPurpose[] = ["access_token", "receipt", "credential", "directory"];
/** A revoked or new key reaches every process within this time. */
const refreshMilliseconds = 10_000;

type Loaded = {
  signing: ReadonlyMap<KeyPurpose, SigningKey>;
  verification: ReadonlyMap<string, VerificationKey>;
  jwks: { keys: JWK[] };
};

export type LoadedKeyRing = KeyRing & { refresh(): Promise<void>; stop(): void };

/** Makes the missing keys (once, whichever process comes first), then keeps the ring in step with the database. */
export const loadKeyRing = async (input: { db: Db; sealer: Sealer; clock: Clock }): Promise<LoadedKeyRing> => {
  const { db, sealer, clock } = input;
  await db.transaction((tx) => makeMissingKeys(tx, sealer, clock.now()));
  let loaded = await importKeys(await findLiveSigningKeys(db, clock.now()), sealer);
  const refresh = async () => {
    loaded = await importKeys(await findLiveSigningKeys(db, clock.now()), sealer);
  };
  // A refresh that fails leaves the last ring in place; /readyz tells of the database.
  const timer = setInterval(() => void refresh().catch(() => {}), refreshMilliseconds);
  timer.unref();
  return {
    signingKey(purpose) {
      const key = loaded.signing.get(purpose);
      if (!key) throw new Error(`no active signing key for ${purpose}`);
      return key;
    },
    findVerificationKey(kid, purpose) {
      const key = loaded.verification.get(kid);
      return key?.purpose === purpose ? key : null;
    },
    jwks: () => loaded.jwks,
    isLoaded: () => purposes.every((purpose) => loaded.signing.has(purpose)),
    refresh,
    stop: () => clearInterval(timer),
  };
};

const makeMissingKeys = async (tx: Tx, sealer: Sealer, now: Date): Promise<void> => {
  await lockSigningKeys(tx);
  const existing = await findLiveSigningKeys({ prisma: tx }, now);
  for (const purpose of purposes) {
    if (existing.some((key) => key.purpose === purpose && key.state === "active")) continue;
    const row = await generateSigningKey(purpose, sealer);
    await insertSigningKey(tx, row, now);
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "system", id: "key-ring" },
      action: "signing_key.created",
      subjectId: row.kid,
      requestId: "-",
      data: { purpose },
    });
  }
};

/** ES256; the kid is the RFC 7638 thumbprint; the private half leaves this function sealed. */
const generateSigningKey = async (purpose: KeyPurpose, sealer: Sealer): Promise<SigningKeyRow> => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateSealed = sealer.seal(JSON.stringify(await exportJWK(privateKey)), `signing_key:${kid}`);
  return {
    kid,
    purpose,
    alg: "ES256",
    publicJwk: { ...publicJwk, kid, alg: "ES256", use: "sig" },
    privateSealed,
    state: "active",
  };
};

const importKeys = async (rows: readonly SigningKeyRow[], sealer: Sealer): Promise<Loaded> => {
  const signing = new Map<KeyPurpose, SigningKey>();
  const verification = new Map<string, VerificationKey>();
  for (const row of rows) {
    const purpose = row.purpose as KeyPurpose;
    verification.set(row.kid, { kid: row.kid, alg: "ES256", purpose, publicKey: await importEc(row.publicJwk) });
    if (row.state !== "active" || row.privateSealed === null) continue;
    const privateJwk = JSON.parse(sealer.open(row.privateSealed, `signing_key:${row.kid}`)) as JWK;
    signing.set(purpose, { kid: row.kid, alg: "ES256", privateKey: await importEc(privateJwk) });
  }
  return { signing, verification, jwks: { keys: rows.map((row) => row.publicJwk) } };
};

const importEc = async (jwk: JWK) => {
  const key = await importJWK(jwk, "ES256");
  if (key instanceof Uint8Array) throw new Error("a symmetric key where an EC key belongs");
  return key;
};
