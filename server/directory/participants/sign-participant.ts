import { SignJWT } from "jose";
import { getLogIndex } from "../../data/directory/participant-versions.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { type EntryQuery, getParticipant } from "./find-participant.ts";

const validSeconds = 24 * 3600;
/** The entity tag changes after this time, so that a reader's copy is replaced long before it expires. */
const sameTagSeconds = 3600;

/**
 * The entry, signed by the directory. `log_index` is the index of this version in the log.
 * @returns the JWT, and a tag that changes once an hour, or when the entry or the key changes. Each call creates
 *   another signature, and all of these signatures are valid.
 * @throws DomainError participant_not_found.
 */
export const signParticipant = async (
  { config, db, clock, keys }: Pick<Deps, "config" | "db" | "clock" | "keys">,
  query: EntryQuery,
): Promise<{ jwt: string; tag: string }> => {
  const participant = await getParticipant({ config, db, clock }, query);
  const { id, version } = participant;
  const logIndex = await getLogIndex(db.sql, { participantId: id, version });
  const key = keys.signingKey("directory");
  const now = epochSeconds(clock.now());
  const jwt = await new SignJWT({ log_index: logIndex, participant })
    .setProtectedHeader({ alg: key.alg, typ: "participant+jwt", kid: key.kid })
    .setIssuer(config.discoveryUrl)
    .setSubject(id)
    .setIssuedAt(now)
    .setExpirationTime(now + validSeconds)
    .sign(key.privateKey);
  const content = { participant, logIndex, kid: key.kid, hour: Math.floor(now / sameTagSeconds) };
  return { jwt, tag: sha256Base64url(JSON.stringify(content)) };
};
