import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { findStatementStanding } from "../../data/directory/software-statements.ts";
import { isKeyRevoked } from "../../data/oauth/signing-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import type { Raw } from "../rules/clients/metadata-members.ts";
import {
  statementKeyRules,
  statementParticipantRules,
  statementRules,
  verifiedStatementRules,
} from "../rules/clients/software-statement.ts";
import { statementType } from "./sign-software-statement.ts";
import { statementHosts } from "./statement-metadata.ts";

const maxLength = 16_000;

/** RFC 7519 §4.1: claims about the statement, which aren't client metadata. */
const ownClaims = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

const withoutOwnClaims = (claims: Raw): Raw =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ownClaims.has(name)));

/**
 * Verifies a software statement. @returns its client metadata, for which the directory vouches.
 * @param known the client's current statement, which was checked when the client registered. It stays valid for this
 *   client unless its key was revoked, so that the client can send back the metadata that it read (RFC 7592 §2.2).
 * @throws OAuthError invalid_software_statement if its signature or claims are invalid; unapproved_software_statement
 *   if it has another issuer, or if the directory no longer vouches for it (RFC 7591 §3.2.2).
 */
export const readSoftwareStatement = async (deps: Deps, statement: unknown, known: unknown = null): Promise<Raw> => {
  const jwt = decode(statement);
  if (jwt?.text === known && jwt && !(await isKeyRevoked(deps.db.sql, jwt.kid ?? "")))
    return withoutOwnClaims(jwt.claims);
  checkRules(statementRules, {
    jwt: jwt && { issuer: jwt.claims.iss },
    directory: deps.config.discoveryUrl,
  });
  const { text, kid, typ } = assertPresent(jwt);
  // Any node refuses a statement signed by a revoked key at the next request. Registrations are rare, so each can query
  // the database.
  await deps.keys.refresh();
  const key = kid === undefined ? null : deps.keys.findVerificationKey(kid, "directory");
  checkRules(statementKeyRules, { hasKey: key !== null });
  const verified = await verify(deps, text, assertPresent(key));
  checkRules(verifiedStatementRules, { failure: verified.failure, isOfType: typ === statementType }, () => ({
    cause: verified.cause,
  }));
  return checkStanding(deps, assertPresent(verified.payload));
};

/**
 * The directory vouches for a statement while its participant is active and the hosts of all URLs in the statement are
 * on the participant's verified domains.
 */
const checkStanding = async ({ db }: Pick<Deps, "db">, { jti = "", sub = "", ...claims }: JWTPayload): Promise<Raw> => {
  const metadata = withoutOwnClaims(claims);
  const standing = await findStatementStanding(db.sql, { id: jti, participantId: sub });
  checkRules(statementParticipantRules, { standing, hosts: statementHosts(metadata) });
  return metadata;
};

type VerificationKey = NonNullable<ReturnType<Deps["keys"]["findVerificationKey"]>>;
type Verified = { payload: JWTPayload | null; failure: "expired" | "unverified" | null; cause?: unknown };

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
