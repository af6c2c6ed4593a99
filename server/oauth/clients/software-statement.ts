import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Actor, appendAuditAlone } from "../../data/audit/audit.ts";
import { isKeyRevoked } from "../../data/oauth/signing-keys.ts";
import type { Config } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { addSeconds, epochSeconds } from "../../kernel/time/clock.ts";
import type { Raw } from "../rules/clients/metadata-members.ts";
import { statementKeyRules, statementRules, verifiedStatementRules } from "../rules/clients/software-statement.ts";

const statementType = "paygrant-software-statement+jwt";
/** The key that signs a statement stays published for longer (rules/key-life.ts). */
const statementSeconds = 90 * 24 * 3600;
const maxLength = 16_000;

/** RFC 7519 §4.1: claims about the statement, which aren't client metadata. */
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
    at: now,
    actor,
    requestId,
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

/**
 * The metadata that the directory vouches for.
 * @param known the client's current statement. It stays valid after its expiry, so that a client can send back what it
 *   reads (RFC 7592 §2.2), but not if its key was revoked.
 * @throws OAuthError unapproved_software_statement for another issuer, invalid_software_statement if it doesn't verify
 *   (RFC 7591 §3.2.2).
 */
export const readSoftwareStatement = async (deps: Deps, statement: unknown, known: unknown = null): Promise<Raw> => {
  const jwt = decode(statement);
  const isOver = jwt?.text === known && Number(jwt?.claims["exp"]) <= epochSeconds(deps.clock.now());
  if (jwt && isOver && !(await isKeyRevoked(deps.db.sql, jwt.kid ?? ""))) return withoutOwnClaims(jwt.claims);
  checkRules(statementRules, {
    jwt: jwt && { issuer: jwt.claims.iss },
    directory: deps.config.discoveryUrl,
  });
  const { text, kid, typ } = assertPresent(jwt);
  // The next request on any node refuses what a revoked key signed. Registrations are rare, so each can query the
  // database.
  await deps.keys.refresh();
  const key = kid === undefined ? null : deps.keys.findVerificationKey(kid, "directory");
  checkRules(statementKeyRules, { hasKey: key !== null });
  const verified = await verify(deps, text, assertPresent(key));
  checkRules(verifiedStatementRules, { failure: verified.failure, isOfType: typ === statementType }, () => ({
    cause: verified.cause,
  }));
  return withoutOwnClaims(assertPresent(verified.payload));
};

type VerificationKey = NonNullable<ReturnType<Deps["keys"]["findVerificationKey"]>>;
type Verified = { payload: Raw | null; failure: "expired" | "unverified" | null; cause?: unknown };

const verify = async ({ config, clock }: Deps, text: string, key: VerificationKey): Promise<Verified> => {
  try {
    const { payload } = await jwtVerify(text, key.publicKey, {
      algorithms: [key.alg],
      issuer: config.discoveryUrl,
      requiredClaims: ["iat", "exp", "jti"],
      currentDate: clock.now(),
    });
    return { payload, failure: null };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) return { payload: null, failure: "expired", cause };
    if (cause instanceof errors.JOSEError) return { payload: null, failure: "unverified", cause };
    throw cause;
  }
};

type Decoded = { text: string; claims: JWTPayload; kid: string | undefined; typ: string | undefined };

const decode = (statement: unknown): Decoded | null => {
  if (typeof statement !== "string" || statement.length > maxLength) return null;
  try {
    const { kid, typ } = decodeProtectedHeader(statement);
    return { text: statement, claims: decodeJwt(statement), kid, typ };
  } catch {
    return null;
  }
};
