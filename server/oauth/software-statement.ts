import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import type { Config } from "../config.ts";
import { type Actor, appendAuditAlone } from "../data/audit.ts";
import type { Deps } from "../deps.ts";
import { addSeconds, epochSeconds } from "../kernel/clock.ts";
import { OAuthError } from "../kernel/errors.ts";
import { newSecret } from "../kernel/ids.ts";
import type { Raw } from "./rules/metadata-values.ts";

const statementType = "paygrant-software-statement+jwt";
/** Its key is kept for longer than that (rules/key-life.ts). */
const statementSeconds = 90 * 24 * 3600;
const maxLength = 16_000;

/** RFC 7519 §4.1: what speaks of the statement itself, and is no metadata of a client. */
const ownClaims = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

const withoutOwnClaims = (claims: Raw): Raw =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ownClaims.has(name)));

type Attestation = {
  participantId: string;
  /** RFC 7591 §2, in wire names */
  metadata: Raw;
  actor: Actor;
  requestId: string;
};

/** The directory vouches for these values of a participant's software (RFC 7591 §2.3). */
export const signSoftwareStatement = async (
  { config, clock, db, keys }: Pick<Deps, "clock" | "db" | "keys"> & { config: Pick<Config, "discoveryUrl"> },
  { participantId, metadata, actor, requestId }: Attestation,
): Promise<string> => {
  const now = clock.now();
  const key = keys.signingKey("directory");
  const jti = newSecret();
  await appendAuditAlone(db, {
    ...{ at: now, actor, requestId },
    action: "software_statement.issued",
    subjectId: participantId,
    data: { jti, members: Object.keys(metadata) },
  });
  return new SignJWT({ ...withoutOwnClaims(metadata) })
    .setProtectedHeader({ alg: key.alg, typ: statementType, kid: key.kid })
    .setIssuer(config.discoveryUrl)
    .setSubject(participantId)
    .setJti(jti)
    .setIssuedAt(epochSeconds(now))
    .setExpirationTime(epochSeconds(addSeconds(now, statementSeconds)))
    .sign(key.privateKey);
};

const invalid = (description: string, cause?: unknown) =>
  new OAuthError("invalid_software_statement", `software_statement: ${description}`, { cause });

/**
 * The metadata that the directory vouches for.
 * @throws OAuthError unapproved_software_statement for one of another issuer, invalid_software_statement for one that does
 * not verify (RFC 7591 §3.2.2).
 */
export const readSoftwareStatement = async (deps: Deps, statement: unknown): Promise<Raw> => {
  if (typeof statement !== "string" || statement.length > maxLength) throw invalid("is not a JWT");
  const { header, issuer } = decode(statement);
  if (issuer !== deps.config.discoveryUrl) {
    throw new OAuthError("unapproved_software_statement", "software_statement: is not of this server's directory");
  }
  // What a revoked key signed is refused from the next request on, on every node; registrations are rare enough to ask.
  await deps.keys.refresh();
  const key = header.kid === undefined ? null : deps.keys.findVerificationKey(header.kid, "directory");
  if (!key) throw invalid("is signed by no key of the directory");
  try {
    const { payload } = await jwtVerify(statement, key.publicKey, {
      algorithms: [key.alg],
      issuer: deps.config.discoveryUrl,
      requiredClaims: ["iat", "exp", "jti"],
      currentDate: deps.clock.now(),
    });
    if (header.typ !== statementType) throw invalid("is a JWT for another purpose");
    return withoutOwnClaims(payload);
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw invalid("has expired", cause);
    if (cause instanceof errors.JOSEError) throw invalid("does not verify", cause);
    throw cause;
  }
};

const decode = (statement: string) => {
  try {
    return { header: decodeProtectedHeader(statement), issuer: decodeJwt(statement).iss };
  } catch (cause) {
    throw invalid("is not a JWT", cause);
  }
};
