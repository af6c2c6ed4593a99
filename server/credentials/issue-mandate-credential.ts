import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { appendAudit } from "../data/audit/audit.ts";
import { type CredentialSource, takeCredentialSource } from "../data/credentials/mandate-credentials.ts";
import type { Deps } from "../deps/deps.ts";
import type { SigningKey } from "../deps/key-ring.ts";
import type { AuthorizationDetails } from "../kernel/authorization-details.ts";
import { DomainError } from "../kernel/errors.ts";
import type { JsonObject } from "../kernel/text/json.ts";
import { holdsAll } from "../mandates/details/narrow-for-token.ts";
import { insufficientTokenRefusal } from "../oauth/tokens/verify-access-token.ts";
import { type MandateCredentialInput, sdJwtVcClaims, vcJwtClaims } from "./rules/mandate-credential.ts";
import { toSdJwt } from "./rules/sd-jwt.ts";

export type CredentialFormat = "dc+sd-jwt" | "vc+jwt";

/**
 * Signs the credential of a mandate's current version for the mandate's own client. Each call signs a new credential
 * with new salts, so that the concealed parts of two copies can't be linked.
 * @throws DomainError not_found for a mandate of another client; OAuthError insufficient_scope if the credential would
 *   allow more than the token, because the holder of the credential could then exceed the token (RFC 9396 §6.1).
 */
export const issueMandateCredential = async (
  deps: Deps,
  input: {
    mandateId: string;
    clientId: string;
    /** the part of the mandate that the caller's token grants */
    held: AuthorizationDetails;
    format: CredentialFormat;
    /** public JWK that verifies a presentation's key binding; null if none is known */
    confirmationKey: JsonObject | null;
    requestId: string;
  },
): Promise<string> => {
  const { mandateId, clientId, held, format, confirmationKey } = input;
  const now = deps.clock.now();
  const { key, source } = await takeKeyAndSource(deps, { mandateId, clientId });
  if (!holdsAll(held, { ...source.details, identifier: mandateId })) throw narrowedTokenRefusal(deps);
  const claims = { baseUrl: deps.config.baseUrl, mandateId, confirmationKey, now, ...source };
  const credential = await (format === "dc+sd-jwt" ? signSdJwtVc(key, claims) : signVcJwt(key, claims));
  await appendAudit(deps.db.sql, {
    at: await deps.businessClock.now(),
    actor: { kind: "client", id: clientId },
    action: "credential.issued",
    subjectId: mandateId,
    requestId: input.requestId,
    data: { format, version: source.version, kid: key.kid },
  });
  return credential;
};

/**
 * The same answer for an unknown mandate and for another client's mandate, because ids aren't secret
 * (docs/spec/payments.md, Who may use a mandate).
 */
export const unknownMandateRefusal = (): DomainError =>
  new DomainError("not_found", { code: "unknown_mandate", message: "The access token doesn't include this mandate." });

const narrowedTokenRefusal = (deps: Deps) =>
  insufficientTokenRefusal(deps, "authorization_server", "the access token was narrowed: refresh it without narrowing");

/**
 * Never signs with a key that was replaced or revoked. If the cached key was replaced or revoked, the key ring is
 * refreshed and the key is read again.
 */
const takeKeyAndSource = async (
  deps: Deps,
  input: { mandateId: string; clientId: string },
): Promise<{ key: SigningKey; source: CredentialSource }> => {
  for (let attempt = 1; ; attempt++) {
    const key = deps.keys.signingKey("credential");
    const source = await takeCredentialSource(deps.db.sql, { ...input, kid: key.kid });
    if (!source) throw unknownMandateRefusal();
    if (source.keyIsActive) return { key, source };
    if (attempt === 3) throw new Error("the active credential key keeps changing");
    await deps.keys.refresh();
  }
};

const signSdJwtVc = async (key: SigningKey, input: MandateCredentialInput): Promise<string> => {
  const { claims, disclosures } = sdJwtVcClaims(input, () => randomBytes(16).toString("base64url"));
  return toSdJwt(await sign(key, claims, { typ: "dc+sd-jwt" }), disclosures);
};

const signVcJwt = (key: SigningKey, input: MandateCredentialInput): Promise<string> =>
  sign(key, vcJwtClaims(input), { typ: "vc+jwt", cty: "vc" });

const sign = (
  { alg, kid, privateKey }: SigningKey,
  claims: JsonObject,
  header: { typ: string; cty?: string },
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
