import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from "node:crypto";
import { appendAudit } from "../../data/audit/audit.ts";
import { findLogKey, insertLogKey, type LogKeyRow } from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** The private key can be decrypted only together with its public key. */
const sealContext = (publicKey: Buffer): string => `directory_log_key:${publicKey.toString("base64url")}`;

/** Creates the log's key if it has none. If processes call it concurrently, one of them creates it. */
export const ensureLogKey = async ({ db, sealer, clock }: Pick<Deps, "db" | "sealer" | "clock">): Promise<void> => {
  if (await findLogKey(db.sql)) return;
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const privateSealed = sealer.seal(JSON.stringify(privateKey.export({ format: "jwk" })), sealContext(raw));
  await db.sqlTransaction(async (sql) => {
    const at = clock.now();
    if (!(await insertLogKey(sql, { publicKey: raw, privateSealed, at }))) return;
    await appendAudit(sql, {
      at,
      actor: { kind: "system", id: "directory-log" },
      requestId: "-",
      action: "directory_log.key_created",
      subjectId: "directory_log",
      data: { public_key_sha256: sha256Base64url(raw) },
    });
  });
};

/** @throws Error if the key was sealed with another master key or for another public key. */
export const openLogKey = ({ sealer }: Pick<Deps, "sealer">, { publicKey, privateSealed }: LogKeyRow): KeyObject =>
  createPrivateKey({
    key: JSON.parse(sealer.open(privateSealed, sealContext(publicKey))) as JsonWebKey,
    format: "jwk",
  });
