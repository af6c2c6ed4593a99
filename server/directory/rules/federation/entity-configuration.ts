import { thumbprintOfKey } from "../../../kernel/crypto/jwk-thumbprint.ts";
import { algorithmOf, decodeJws, importPublicJwk, verifyJws } from "../../../kernel/crypto/jws.ts";
import { holdsText, isShallow } from "../../../kernel/text/text.ts";
import { hasBegun, isUnexpired } from "../../../kernel/time/numeric-date.ts";
import { claimsProblem, isRecord } from "./entity-claims.ts";

const clockSkewSeconds = 60;
const maxKeys = 10;

type JsonRecord = Readonly<Record<string, unknown>>;
type EntityKey = { kid: string; thumbprint: string; jwk: JsonRecord };

/** An entity's statement about itself (OpenID Federation 1.0, Entity Configuration). */
export type EntityConfiguration = {
  keys: readonly EntityKey[];
  metadata: Readonly<Record<string, JsonRecord>>;
  expiresAtSeconds: number;
};

type Expected = {
  entityId: string;
  /** must be among the superiors that the entity names */
  anchorId: string;
  nowSeconds: number;
};

/**
 * Checks a configuration by the rules for leaf entities in the final text of OpenID Federation 1.0.
 * @param compact a JWT. @returns its content, or the problem as the end of a sentence about the configuration.
 */
export const readEntityConfiguration = (
  compact: string,
  { entityId, anchorId, nowSeconds }: Expected,
): EntityConfiguration | { problem: string } => {
  const jws = decodeJws(compact);
  if (!jws) return { problem: "isn't a JWT" };
  const { header, payload } = jws;
  // Parts of the payload are stored, and signed again in the directory's responses.
  if (!isShallow(payload)) return { problem: "is nested too deeply" };
  if (!holdsText(payload)) return { problem: "has text with NUL or an unpaired surrogate" };
  if (header["typ"] !== "entity-statement+jwt") return { problem: "has a typ other than entity-statement+jwt" };
  if (payload["iss"] !== entityId || payload["sub"] !== entityId)
    return { problem: "has an iss or sub other than entity_id" };
  if (!hasBegun(payload["iat"], nowSeconds + clockSkewSeconds)) return { problem: "has no iat, or one in the future" };
  if (!isUnexpired(payload["exp"], nowSeconds)) return { problem: "has no exp, or has expired" };
  const problem = claimsProblem(jws, { anchorId });
  if (problem) return { problem };
  const keys = readKeySet(payload["jwks"]);
  if ("problem" in keys) return keys;
  const signer = keys.find(({ kid }) => kid === header["kid"]);
  const key = signer && importPublicJwk(signer.jwk);
  if (!key || !verifyJws(jws, key))
    return { problem: "has an invalid signature, or a kid that names no usable key in jwks" };
  const metadata = readMetadata(payload["metadata"], entityId);
  if ("problem" in metadata) return metadata;
  return { keys, metadata: metadata.read, expiresAtSeconds: Number(payload["exp"]) };
};

/** The claims of a stored configuration, which was verified before it was stored. */
export const configurationClaims = (compact: string): { jwks: object; metadata: Record<string, JsonRecord> } => {
  const { jwks, metadata } = decodeJws(compact)?.payload ?? {};
  return { jwks: isRecord(jwks) ? jwks : { keys: [] }, metadata: (metadata ?? {}) as Record<string, JsonRecord> };
};

/** @returns the RFC 7638 thumbprint of the key that signed a verified configuration. */
export const signerThumbprint = (compact: string): string | null => {
  const { header, payload } = decodeJws(compact) ?? {};
  const keys = readKeySet(payload?.["jwks"]);
  return "problem" in keys ? null : (keys.find(({ kid }) => kid === header?.["kid"])?.thumbprint ?? null);
};

const readKeySet = (jwks: unknown): EntityKey[] | { problem: string } => {
  const members = isRecord(jwks) ? jwks["keys"] : null;
  if (!Array.isArray(members) || members.length === 0 || members.length > maxKeys)
    return { problem: `must have 1 to ${maxKeys} keys in jwks` };
  const keys: EntityKey[] = [];
  for (const jwk of members) {
    if (!isRecord(jwk) || typeof jwk["kid"] !== "string" || jwk["kid"] === "")
      return { problem: "has a key without kid in jwks" };
    if (jwk["d"] !== undefined || jwk["k"] !== undefined) return { problem: "has a secret key in jwks" };
    const key = importPublicJwk(jwk);
    if (!key || algorithmOf(key) === null) {
      return { problem: "has a key in jwks that isn't usable with ES256, PS256 or Ed25519" };
    }
    keys.push({ kid: jwk["kid"], thumbprint: thumbprintOfKey(key), jwk });
  }
  const isUnique = new Set(keys.map(({ kid }) => kid)).size === keys.length;
  return isUnique ? keys : { problem: "has two keys with the same kid in jwks" };
};

/** Entity types whose `issuer` must be the identifier of the entity. */
const issuerTypes = ["oauth_authorization_server", "openid_provider"] as const;
/**
 * Members that the metadata of `federation_entity` must not have, because its keys are the `jwks` of the statement
 * (Parameters for JWK Sets in Entity Metadata).
 */
const keyMembers = ["jwks", "jwks_uri", "signed_jwks_uri"] as const;

const readMetadata = (
  metadata: unknown,
  entityId: string,
): { read: Readonly<Record<string, JsonRecord>> } | { problem: string } => {
  if (!isRecord(metadata) || !Object.values(metadata).every(isRecord)) {
    return { problem: "must have metadata with an object for each entity type" };
  }
  const read = metadata as Readonly<Record<string, JsonRecord>>;
  if (Object.values(read).some((parameters) => Object.values(parameters).includes(null))) {
    return { problem: "has null in metadata" };
  }
  const foreign = issuerTypes.find((type) => (read[type]?.["issuer"] ?? entityId) !== entityId);
  if (foreign) return { problem: `has an issuer other than entity_id in the metadata of ${foreign}` };
  const entity = read["federation_entity"] ?? {};
  if ((entity["federation_fetch_endpoint"] ?? entity["federation_list_endpoint"]) !== undefined) {
    return { problem: "has federation endpoints: only entities without subordinates can be registered" };
  }
  const keyMember = keyMembers.find((member) => entity[member] !== undefined);
  return keyMember ? { problem: `has ${keyMember} in the metadata of federation_entity` } : { read };
};

/**
 * The host of an entity identifier. @returns null unless it is an https address in its normal form, without user, port,
 * query and fragment, of at most 1,900 characters.
 */
export const entityHost = (entityId: string): string | null => {
  if (entityId.length > 1_900 || !URL.canParse(entityId)) return null;
  const url = new URL(entityId);
  const isPlain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  if (!isPlain || /[?#]/.test(entityId)) return null;
  return url.href === entityId || url.href === `${entityId}/` ? url.hostname : null;
};

export const configurationUrl = (entityId: string): string =>
  `${entityId.replace(/\/$/, "")}/.well-known/openid-federation`;
