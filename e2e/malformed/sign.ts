import { createHash, randomUUID } from "node:crypto";
import type { Signer } from "../support/oauth/oauth-client.ts";
import { mutateJson } from "./mutations/mutate-json.ts";
import type { Random } from "./random.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64url");

/** An ES256 JWS over JSON text, including text that no library would sign. */
const signText = async (
  { privateKey }: Pick<Signer, "privateKey">,
  header: string,
  payload: string,
): Promise<string> => {
  const input = `${encode(header)}.${encode(payload)}`;
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
};

/** Sometimes the signed content is invalid, although the signature is valid. */
const signNearly = (
  key: Pick<Signer, "privateKey">,
  { header, claims }: { header: object; claims: object },
  random: Random,
): Promise<string> =>
  signText(
    key,
    random.chance(8) ? mutateJson(header, random) : JSON.stringify(header),
    random.chance(12) ? mutateJson(claims, random) : JSON.stringify(claims),
  );

const now = (): number => Math.floor(Date.now() / 1000);

export const signNearAssertion = (
  party: Pick<Signer, "privateKey"> & { id: string },
  audience: string,
  random: Random,
): Promise<string> => {
  const times = { iat: now(), nbf: now(), exp: now() + 60 };
  const claims = { iss: party.id, sub: party.id, aud: audience, jti: randomUUID(), ...times };
  return signNearly(party, { header: { alg: "ES256", kid: "test", typ: "JWT" }, claims }, random);
};

export const signNearProof = (
  key: Signer,
  { method, url, accessToken }: { method: string; url: string; accessToken?: string },
  random: Random,
): Promise<string> => {
  const { kty, crv, x, y } = key.publicJwk;
  const ath = accessToken ? { ath: createHash("sha256").update(accessToken).digest("base64url") } : {};
  const claims = { jti: randomUUID(), htm: method, htu: url, iat: now(), ...ath };
  return signNearly(key, { header: { alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } }, claims }, random);
};
