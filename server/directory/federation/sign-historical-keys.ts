import { listSigningKeys, type SigningKeyRow } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { anchorSigner } from "./entities.ts";
import { signAs } from "./sign-statements.ts";

/** A key that no longer signs. It expires with its last statement, or when it was revoked. */
const toHistoricalKey = ({ publicJwk, createdAt, publishUntil, revokedAt }: SigningKeyRow): object[] => {
  const end = revokedAt ?? publishUntil;
  if (end === null) return [];
  const revoked = revokedAt ? { revoked: { revoked_at: epochSeconds(revokedAt) } } : {};
  return [{ ...publicJwk, iat: epochSeconds(createdAt), exp: epochSeconds(end), ...revoked }];
};

/** The trust anchor's earlier federation keys, signed (OpenID Federation 1.0, Federation Historical Keys). */
export const signHistoricalKeys = async (deps: Deps): Promise<string> => {
  const anchor = anchorSigner(deps);
  const rows = (await listSigningKeys(deps.db)).filter(({ purpose }) => purpose === anchor.keyPurpose);
  return signAs(deps, anchor, {
    typ: "jwk-set+jwt",
    claims: { iat: epochSeconds(deps.clock.now()), keys: rows.flatMap(toHistoricalKey) },
  });
};
