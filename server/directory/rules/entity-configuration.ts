import { thumbprintOfKey } from "../../kernel/crypto/jwk-thumbprint.ts";
import { algorithmOf, decodeJws, importPublicJwk, verifyJws } from "../../kernel/crypto/jws.ts";
import { hasBegun, isUnexpired } from "../../kernel/time/numeric-date.ts";

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

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Members that a configuration must not have: those that are allowed only in statements about other entities, and
 * `crit`, because we support no critical members.
 */
const foreignMembers = ["metadata_policy", "metadata_policy_crit", "constraints", "source_endpoint", "crit"] as const;

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
  if (header["typ"] !== "entity-statement+jwt") return { problem: "has a typ other than entity-statement+jwt" };
  if (header["crit"] !== undefined) return { problem: "has a crit header" };
  if (payload["iss"] !== entityId || payload["sub"] !== entityId)
    return { problem: "has an iss or sub other than entity_id" };
  if (!hasBegun(payload["iat"], nowSeconds + clockSkewSeconds)) return { problem: "has no iat, or one in the future" };
  if (!isUnexpired(payload["exp"], nowSeconds)) return { problem: "has no exp, or has expired" };
  const foreign = foreignMembers.find((name) => payload[name] !== undefined);
  if (foreign) return { problem: `has ${foreign}` };
  const keys = readKeySet(payload["jwks"]);
  if ("problem" in keys) return keys;
  const signer = keys.find(({ kid }) => kid === header["kid"]);
  const key = signer && importPublicJwk(signer.jwk);
  if (!key || !verifyJws(jws, key)) return { problem: "isn't signed by the key in jwks that its kid names" };
  const hints = payload["authority_hints"];
  if (!Array.isArray(hints) || !hints.includes(anchorId))
    return { problem: `doesn't have ${anchorId} in authority_hints` };
  const metadata = readMetadata(payload["metadata"]);
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
    if (!isRecord(jwk) || typeof jwk["kid"] !== "string") return { problem: "has a key without kid in jwks" };
    if (jwk["d"] !== undefined || jwk["k"] !== undefined) return { problem: "has a secret key in jwks" };
    const key = importPublicJwk(jwk);
    if (!key || algorithmOf(key) === null) {
      return { problem: "has a key in jwks that isn't usable with ES256, PS256 or Ed25519" };
    }
    keys.push({ kid: jwk["kid"], thumbprint: thumbprintOfKey(key), jwk });
  }
  const isUnique = new Set(keys.map(({ kid }) => kid)).size === keys.length;
  return isUnique ? keys : { problem: "has two keys with one kid in jwks" };
};

const readMetadata = (metadata: unknown): { read: Readonly<Record<string, JsonRecord>> } | { problem: string } => {
  if (!isRecord(metadata) || !Object.values(metadata).every(isRecord)) {
    return { problem: "must have metadata with an object for each entity type" };
  }
  const entity = metadata["federation_entity"];
  if (isRecord(entity) && (entity["federation_fetch_endpoint"] ?? entity["federation_list_endpoint"]) !== undefined) {
    return { problem: "has federation endpoints: only entities without subordinates can be registered" };
  }
  return { read: metadata as Readonly<Record<string, JsonRecord>> };
};

/** An https address with a host name, without port, query and fragment, in its normal form. */
export const entityHost = (entityId: string): string | null => {
  if (entityId.length > 1_900 || !URL.canParse(entityId)) return null;
  const url = new URL(entityId);
  const isPlain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  if (!isPlain || /[?#]/.test(entityId)) return null;
  return url.href === entityId || url.href === `${entityId}/` ? url.hostname : null;
};

export const configurationUrl = (entityId: string): string =>
  `${entityId.replace(/\/$/, "")}/.well-known/openid-federation`;
