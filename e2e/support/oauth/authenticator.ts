import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** How a response deviates from the response of an honest browser and authenticator. The deviation is signed too. */
type Deviation = {
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  isVerified?: boolean;
  /** the signature count, including this one */
  counter?: number;
  userHandle?: string | null;
  /** attestation: a format other than none */
  format?: string;
};

const sha256 = (octets: string | Uint8Array): Buffer => createHash("sha256").update(octets).digest();
const base64url = (octets: string | Uint8Array): string => Buffer.from(octets).toString("base64url");

/** Flags of authenticator data (WebAuthn §6.1). */
const flags = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

const uint = (octets: 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(octets);
  buffer.writeUIntBE(value, 0, octets);
  return buffer;
};

/** The public key as COSE: EC2 on P-256 for ES256 (RFC 9053 §2.1, §7.1.1). */
const toCoseKey = (publicKey: KeyObject): Uint8Array => {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const [left, right] = [x, y].map((text) => new Uint8Array(Buffer.from(text, "base64url")));
  return isoCBOR.encode(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, left],
      [-3, right],
    ]) as never,
  );
};

/** WebAuthn §5.8.1, as the browser sends it: JSON in base64url. */
const toClientData = (honest: { type: string; challenge: string; origin: string }, deviation: Deviation): string =>
  base64url(
    JSON.stringify({
      type: deviation.type ?? honest.type,
      challenge: honest.challenge,
      origin: deviation.origin ?? honest.origin,
      crossOrigin: deviation.crossOrigin ?? false,
      topOrigin: deviation.topOrigin,
    }),
  );

/** WebAuthn §6.1. @param honest.attested attested credential data; empty for an assertion. */
const toAuthenticatorData = (
  honest: { rpId: string; counter: number; attested: Uint8Array },
  deviation: Deviation,
): Buffer => {
  const set =
    flags.present |
    (deviation.isVerified === false ? 0 : flags.verified) |
    (flags.backupEligible | flags.backedUp) |
    (honest.attested.length > 0 ? flags.attested : 0);
  const counter = uint(4, deviation.counter ?? honest.counter);
  return Buffer.concat([sha256(deviation.rpId ?? honest.rpId), Buffer.from([set]), counter, honest.attested]);
};

/** One passkey in software (WebAuthn §6), on pages of `origin`. */
export const makeAuthenticator = ({ origin, countsUses = true }: { origin: string; countsUses?: boolean }) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const rpId = new URL(origin).hostname;
  let uses = 0;
  let userHandle = base64url(randomBytes(16));
  const nextCounter = (): number => (countsUses ? ++uses : 0);

  return {
    credentialId: base64url(id),

    /** navigator.credentials.create() */
    create(options: { challenge: string; user: { id: string } }, deviation: Deviation = {}) {
      userHandle = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), uint(2, id.length), id, toCoseKey(publicKey)]);
      const statement = deviation.format ? new Map([["x5c", [new Uint8Array(8)]]]) : new Map();
      const object = new Map<string, unknown>([
        ["fmt", deviation.format ?? "none"],
        ["attStmt", statement],
        ["authData", new Uint8Array(toAuthenticatorData({ rpId, counter: nextCounter(), attested }, deviation))],
      ]);
      return {
        id: base64url(id),
        type: "public-key" as const,
        response: {
          clientDataJSON: toClientData({ type: "webauthn.create", challenge: options.challenge, origin }, deviation),
          attestationObject: base64url(isoCBOR.encode(object as never)),
          transports: ["internal", "hybrid"],
        },
      };
    },

    /** navigator.credentials.get() */
    get({ challenge }: { challenge: string }, deviation: Deviation = {}) {
      const clientDataJSON = toClientData({ type: "webauthn.get", challenge, origin }, deviation);
      const data = toAuthenticatorData({ rpId, counter: nextCounter(), attested: Buffer.alloc(0) }, deviation);
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, "base64url"))]);
      return {
        id: base64url(id),
        type: "public-key" as const,
        response: {
          clientDataJSON,
          authenticatorData: base64url(data),
          signature: base64url(sign("sha256", signed, privateKey)),
          userHandle: deviation.userHandle === undefined ? userHandle : deviation.userHandle,
        },
      };
    },
  };
};

export type Authenticator = ReturnType<typeof makeAuthenticator>;
