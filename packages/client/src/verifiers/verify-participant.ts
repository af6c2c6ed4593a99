import { decodeJwt } from "jose";
import type { Server } from "../clients/discover.ts";
import { RequestError, VerificationError } from "../errors/errors.ts";
import { assertServerAddress } from "../http/addresses.ts";
import type { CallOptions } from "../http/call-options.ts";
import { getJson } from "../http/get-json.ts";
import { textIn, textsIn } from "../wire/members.ts";
import { toCamel } from "../wire/names.ts";
import { assertInTime, numberClaim, objectClaim, textClaim, verifyServerJws } from "./verify-jws.ts";

export type ParticipantToVerify = {
  /** the signed entry: the response of `{directory}/v1/participants/{id}` to `Accept: application/jwt` */
  participant: string;
  /** id of the participant that you expect; by default any participant */
  participantId?: string;
};

/** An entry of the directory. */
export type Participant = {
  id: string;
  roles: ("authorization_server" | "merchant" | "client")[];
  displayName: string;
  legalName: string | null;
  environment: "production" | "sandbox";
  status: "pending" | "active" | "suspended" | "withdrawn";
  merchantId: string | null;
  /** of an authorization server */
  issuer: string | null;
  verifiedDomains: { domain: string; verifiedAt: string }[];
  contacts: string[];
  contactSalts: string[];
  websiteUri: string | null;
  logoUri: string | null;
  capabilities: {
    grantTypes: string[];
    pushedAuthorizationRequests: boolean;
    dpopBoundAccessTokens: boolean;
    authorizationDetailsTypes: string[];
    currencies: string[];
    webhooks: boolean;
    /** a member is null if the participant has no such limit, or the directory doesn't know it */
    limits: {
      /** in the currency's minor unit */
      maxChargeAmounts: { currency: string; amount: number }[];
      authorizationDetails: { maxItems: number; maxAmount: number } | null;
      requestUriLifetimeSeconds: number | null;
      clientRateLimit: { requests: number; seconds: number } | null;
    };
  };
  metadataDocuments: string[];
  /** its entity in the directory's federation (OpenID Federation 1.0); null: none is registered */
  federationEntity: { entityId: string; keyThumbprints: string[] } | null;
  /** what the directory measured when it fetched the metadata documents; null before the first fetch */
  health: {
    status: "up" | "down";
    lastCheckedAt: string;
    lastSuccessAt: string | null;
    latencyMs: number | null;
    /** percent of the last 30 days, as text */
    uptime30d: string | null;
    problem: string | null;
  } | null;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type VerifiedParticipant = {
  /** URL of the directory that signed the entry */
  directory: string;
  participantId: string;
  participant: Participant;
  /** index of this version in the directory's log */
  logIndex: number;
  issuedAt: Date;
  expiresAt: Date;
};

/** Read before the signature is checked, only to find the key. */
const readIssuer = (jwt: string): string => {
  try {
    return decodeJwt(jwt).iss ?? "";
  } catch (cause) {
    throw new VerificationError("malformed", "This isn't a signed statement.", { cause });
  }
};

/** The well-known part is inserted between host and path (RFC 9728 §3.1). */
const metadataAddress = (directory: string): string => {
  const { origin, pathname } = new URL(directory);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
};

/** RFC 9728 §3.3: the metadata must name exactly this directory. It must also name the server. */
const readJwksUri = async (server: Server, directory: string, options: CallOptions): Promise<string> => {
  const metadata = await getJson(metadataAddress(assertServerAddress(directory, "protected_resources")), options);
  const isOwn = textsIn(metadata, "authorization_servers").includes(server.issuer);
  if (metadata["resource"] !== directory || !isOwn) {
    throw new RequestError("invalid_response", "The metadata describes another directory.");
  }
  return assertServerAddress(textIn(metadata, "jwks_uri"), "jwks_uri");
};

/**
 * Checks an entry that the server's directory signed.
 * @throws VerificationError untrusted_issuer if the directory isn't a protected resource of the server.
 */
export const verifyParticipant = async (
  server: Server,
  { participant, participantId }: ParticipantToVerify,
  options: CallOptions = {},
): Promise<VerifiedParticipant> => {
  const directory = readIssuer(participant);
  if (!server.protectedResources.includes(directory)) {
    throw new VerificationError("untrusted_issuer", "The entry wasn't signed by the server's directory.");
  }
  const signer = { ...server, jwksUri: await readJwksUri(server, directory, options) };
  const claims = await verifyServerJws(signer, { jws: participant, typ: "participant+jwt" }, options);
  const until = numberClaim(claims, "exp");
  assertInTime({ notBefore: claims["iat"], until });
  const subject = textClaim(claims, "sub");
  const entry = toCamel(objectClaim(claims, "participant")) as Participant;
  if (entry.id !== subject || (participantId !== undefined && participantId !== subject)) {
    throw new VerificationError("subject_mismatch", "The entry belongs to another participant.");
  }
  return {
    directory,
    participantId: subject,
    participant: entry,
    logIndex: numberClaim(claims, "log_index"),
    issuedAt: new Date(numberClaim(claims, "iat") * 1000),
    expiresAt: new Date(until * 1000),
  };
};
