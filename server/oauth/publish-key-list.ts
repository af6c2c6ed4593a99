import { SignJWT } from "jose";
import { listClientKeyHashes } from "../data/clients.ts";
import { listSigningKeys } from "../data/signing-keys.ts";
import type { Deps } from "../deps.ts";
import { epochSeconds } from "../kernel/clock.ts";
import { sha256Base64url } from "../kernel/hash.ts";

export const keyListType = "paygrant-key-list+jwt";

/**
 * Production tells its sandbox, signed, which keys are not to be used there: its clients' and its own, those included that
 * sign no more. A kid of ours is its key's thumbprint.
 */
export const publishKeyList = async ({ config, db, clock, keys }: Deps): Promise<string> => {
  const own = (await listSigningKeys(db)).map(({ kid }) => sha256Base64url(kid));
  const now = epochSeconds(clock.now());
  const key = keys.signingKey("directory");
  return new SignJWT({ thumbprint_hashes: [...own, ...(await listClientKeyHashes(db.sql))] })
    .setProtectedHeader({ alg: key.alg, typ: keyListType, kid: key.kid })
    .setIssuer(config.baseUrl)
    .setIssuedAt(now)
    .setExpirationTime(now + 24 * 3600)
    .sign(key.privateKey);
};
