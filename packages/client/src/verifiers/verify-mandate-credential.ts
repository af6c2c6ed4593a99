import type { JWK } from "jose";
import type { GrantedMandate } from "../agents/mandate.ts";
import type { Server } from "../clients/discover.ts";
import { VerificationError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import { isMembers, type Members } from "../wire/members.ts";
import { toCamel } from "../wire/names.ts";
import { type KeyBinding, verifyKeyBinding } from "./key-binding.ts";
import { discloseClaims, splitSdJwt } from "./sd-jwt.ts";
import { assertBitstringStatus, assertTokenStatus } from "./status/status-lists.ts";
import { assertInTime, assertIssuer, numberClaim, objectClaim, textClaim, verifyServerJws } from "./verify-jws.ts";

export type CredentialToVerify = {
  /** an SD-JWT VC with or without key binding, or a VC-JWT */
  credential: string;
  /** your own id; required for a presentation, because a presentation is made for one audience */
  audience?: string;
  /** the nonce that you gave the holder; default: any nonce */
  nonce?: string;
};

/** A credential that is genuine, valid now, and neither revoked nor suspended. */
export type VerifiedCredential = {
  format: "dc+sd-jwt" | "vc+jwt";
  issuer: string;
  mandateId: string;
  version: number;
  /** what the holder disclosed of the mandate */
  mandate: Partial<GrantedMandate>;
  validFrom: Date;
  validUntil: Date;
  /** the holder's public key; null if the credential isn't bound to a key */
  holderKey: JWK | null;
  /** the payment that the holder bound the credential to; null without key binding */
  keyBinding: KeyBinding | null;
};

const mandateVct = "urn:paygrant:credential:payment-mandate:1";

const holderKeyOf = ({ cnf }: Members): JWK | null =>
  isMembers(cnf) && isMembers(cnf["jwk"]) ? (cnf["jwk"] as JWK) : null;

const readMandate = (mandate: Members) => {
  const { version: _version, ...details } = mandate;
  return {
    mandateId: textClaim(mandate, "identifier"),
    version: numberClaim(mandate, "version"),
    mandate: toCamel(details) as Partial<GrantedMandate>,
  };
};

const toDate = (seconds: unknown): Date => new Date(Number(seconds) * 1000);

/** SD-JWT VC §3.5, RFC 9901 §7. */
const verifySdJwt = async (
  server: Server,
  { credential, ...expected }: CredentialToVerify,
  options: CallOptions,
): Promise<VerifiedCredential> => {
  const parts = splitSdJwt(credential);
  const signed = await verifyServerJws(server, { jws: parts.jwt, typ: "dc+sd-jwt" }, options);
  assertIssuer(signed["iss"], server);
  const claims = await discloseClaims(signed, parts.disclosures);
  if (claims["vct"] !== mandateVct) throw new VerificationError("malformed", "This isn't a mandate's credential.");
  assertInTime({ notBefore: claims["nbf"], until: claims["exp"] });
  const isBound = parts.keyBinding !== null || expected.audience !== undefined;
  const keyBinding = isBound ? await verifyKeyBinding(claims, parts, expected) : null;
  await assertTokenStatus(server, objectClaim(claims, "status"), options);
  return {
    format: "dc+sd-jwt",
    issuer: server.issuer,
    ...readMandate(objectClaim(claims, "mandate")),
    validFrom: toDate(claims["nbf"] ?? claims["iat"]),
    validUntil: toDate(claims["exp"]),
    holderKey: holderKeyOf(claims),
    keyBinding,
  };
};

/** W3C VC-JOSE-COSE §3.1.1: the payload is the credential. */
const verifyVcJwt = async (
  server: Server,
  { credential, audience }: CredentialToVerify,
  options: CallOptions,
): Promise<VerifiedCredential> => {
  if (audience !== undefined) throw new VerificationError("key_binding_missing", "A VC-JWT has no key binding.");
  const claims = await verifyServerJws(server, { jws: credential, typ: "vc+jwt" }, options);
  assertIssuer(claims["issuer"], server);
  const { type, credentialStatus } = claims;
  if (!Array.isArray(type) || !type.includes("PaymentMandateCredential")) {
    throw new VerificationError("malformed", "This isn't a mandate's credential.");
  }
  const [validFrom, validUntil] = [new Date(String(claims["validFrom"])), new Date(String(claims["validUntil"]))];
  assertInTime({ notBefore: validFrom.getTime() / 1000, until: validUntil.getTime() / 1000 });
  const entries = Array.isArray(credentialStatus) ? credentialStatus.filter(isMembers) : [];
  await assertBitstringStatus(server, entries, options);
  return {
    format: "vc+jwt",
    issuer: server.issuer,
    ...readMandate(objectClaim(objectClaim(claims, "credentialSubject"), "mandate")),
    validFrom,
    validUntil,
    holderKey: holderKeyOf(claims),
    keyBinding: null,
  };
};

/**
 * Checks a mandate's credential, or its presentation to you, with the server's published keys and status list. A status
 * list is cached for its `ttl`, at most 30 seconds. A revocation or suspension in that time is detected by `charge`,
 * not by this function.
 * @throws VerificationError credential_revoked, credential_suspended, expired, audience_mismatch and others.
 */
export const verifyMandateCredential = (
  server: Server,
  toVerify: CredentialToVerify,
  options: CallOptions = {},
): Promise<VerifiedCredential> =>
  toVerify.credential.includes("~") ? verifySdJwt(server, toVerify, options) : verifyVcJwt(server, toVerify, options);
