import { SignJWT } from "jose";
import { listClientKeyHashes } from "../../data/oauth/clients.ts";
import { listSigningKeys } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";

export const keyListType = "paygrant-key-list+jwt";

type Published = { kid: string; at: number; text: Promise<string> };
const published = new WeakMap<Deps["db"], Published>();

/**
 * How long a process caches the list. Making the list reads the keys of all clients, and anyone may call the endpoint.
 */
const keptMilliseconds = 10_000;

/** The signed key list, at most ten seconds old. Concurrent callers share one list. */
export const recentKeyList = (deps: Deps): Promise<string> => {
  const at = deps.clock.now().getTime();
  const { kid } = deps.keys.signingKey("directory");
  const known = published.get(deps.db);
  if (known && known.kid === kid && at >= known.at && at - known.at < keptMilliseconds) return known.text;
  const text = publishKeyList(deps);
  const kept = { kid, at, text };
  published.set(deps.db, kept);
  text.catch(() => {
    if (published.get(deps.db) === kept) published.delete(deps.db);
  });
  return text;
};

/**
 * A signed list of the keys that must not be used in the sandbox: production's client keys and production's own
 * keys, including retired ones. Our kids are thumbprints.
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
