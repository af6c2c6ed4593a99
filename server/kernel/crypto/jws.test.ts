import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { CompactSign, compactVerify, exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { decodeJws, type JwsAlgorithm, signJws, verifyJws } from "./jws.ts";

const algorithms: readonly JwsAlgorithm[] = ["ES256", "PS256", "EdDSA"];

const makeKeys = async (alg: JwsAlgorithm) => {
  const pair = await generateKeyPair(alg, { extractable: true, ...(alg === "EdDSA" ? { crv: "Ed25519" } : {}) });
  const privateKey = createPrivateKey({ key: (await exportJWK(pair.privateKey)) as JsonWebKey, format: "jwk" });
  return { pair, privateKey, publicKey: createPublicKey(privateKey) };
};

const decoded = (compact: string) => {
  const jws = decodeJws(compact);
  if (!jws) throw new Error("not a JWS");
  return jws;
};

test("a signature has the length of its key's modulus in whole octets (RFC 8017 §8.1.2)", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2052 });
  const jws = decoded(signJws({ alg: "PS256", typ: "JWT", kid: "k" }, { a: 1 }, privateKey));
  expect(jws.signature).toHaveLength(257);
  expect(verifyJws(jws, publicKey)).toBe(true);
});

describe.each(algorithms)("%s", (alg) => {
  test("jose verifies our signatures, and we verify those of jose (RFC 7515 §5)", async () => {
    const { pair, privateKey, publicKey } = await makeKeys(alg);
    const ours = signJws({ alg, typ: "JWT", kid: "k" }, { a: "ü" }, privateKey);
    expect(JSON.parse(new TextDecoder().decode((await compactVerify(ours, pair.publicKey)).payload))).toEqual({
      a: "ü",
    });
    const theirs = await new CompactSign(Buffer.from('{"b":1}')).setProtectedHeader({ alg }).sign(pair.privateKey);
    expect(verifyJws(decoded(theirs), publicKey)).toBe(true);
  });

  test("a JWS doesn't verify with another payload, signature or key", async () => {
    const { privateKey, publicKey } = await makeKeys(alg);
    const jws = decoded(signJws({ alg, typ: "JWT", kid: "k" }, { a: 1 }, privateKey));
    const [header] = jws.signingInput.split(".");
    const other = `${header}.${Buffer.from('{"a":2}').toString("base64url")}`;
    expect(verifyJws({ ...jws, signingInput: other }, publicKey)).toBe(false);
    expect(verifyJws({ ...jws, signature: Buffer.alloc(jws.signature.length) }, publicKey)).toBe(false);
    expect(verifyJws({ ...jws, signature: jws.signature.subarray(1) }, publicKey)).toBe(false);
    expect(verifyJws(jws, (await makeKeys(alg)).publicKey)).toBe(false);
  });

  test("a key is used with its own algorithm only (RFC 8725 §3.1)", async () => {
    const { privateKey, publicKey } = await makeKeys(alg);
    const jws = decoded(signJws({ alg, typ: "JWT", kid: "k" }, {}, privateKey));
    for (const other of ["ES256", "PS256", "EdDSA", "RS256", "none", undefined].filter((one) => one !== alg)) {
      expect(verifyJws({ ...jws, header: { ...jws.header, alg: other } }, publicKey)).toBe(false);
    }
  });
});

test("an Ed25519 key verifies under both algorithm names, EdDSA and Ed25519 (RFC 9864 §2.2)", async () => {
  const { pair, publicKey } = await makeKeys("EdDSA");
  for (const alg of ["EdDSA", "Ed25519"]) {
    const jws = decoded(await new CompactSign(Buffer.from("{}")).setProtectedHeader({ alg }).sign(pair.privateKey));
    expect(verifyJws(jws, publicKey), alg).toBe(true);
  }
  const es256 = await makeKeys("ES256");
  const jws = decoded(signJws({ alg: "ES256", typ: "JWT", kid: "k" }, {}, es256.privateKey));
  expect(verifyJws({ ...jws, header: { ...jws.header, alg: "Ed25519" } }, es256.publicKey)).toBe(false);
});

test("refuses a PS256 signature without its leading zero (RFC 8017 §8.1.2)", async () => {
  const { privateKey, publicKey } = await makeKeys("PS256");
  let jws = decoded(signJws({ alg: "PS256", typ: "JWT", kid: "k" }, { n: 0 }, privateKey));
  // One in 256 signatures starts with a zero.
  for (let n = 1; jws.signature[0] !== 0; n += 1) {
    jws = decoded(signJws({ alg: "PS256", typ: "JWT", kid: "k" }, { n }, privateKey));
  }
  expect(verifyJws(jws, publicKey)).toBe(true);
  expect(verifyJws({ ...jws, signature: jws.signature.subarray(1) }, publicKey)).toBe(false);
  expect(verifyJws({ ...jws, signature: Buffer.concat([Buffer.alloc(1), jws.signature]) }, publicKey)).toBe(false);
});

test("a key on another curve verifies nothing (RFC 7518 §3.4)", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const jws = decoded(signJws({ alg: "ES256", typ: "JWT", kid: "k" }, {}, privateKey));
  expect(verifyJws(jws, publicKey)).toBe(false);
});

const part = (text: string) => Buffer.from(text).toString("base64url");
const refused: readonly [string, string][] = [
  ["two parts", `${part("{}")}.${part("{}")}`],
  ["four parts", `${part("{}")}.${part("{}")}.AAAA.AAAA`],
  ["an empty header", `.${part("{}")}.AAAA`],
  ["an empty payload", `${part("{}")}..AAAA`],
  ["no signature (RFC 7515 §3)", `${part("{}")}.${part("{}")}.`],
  ["padding (RFC 7515 §2)", `${part("{}")}=.${part("{}")}.AAAA`],
  ["characters of plain base64", `${part("{}")}.${part("{}")}.AA+/`],
  ["a line break", `${part("{}")}.${part("{}")}.AAAA\n`],
  ["stray bits at the end of a part", `${part("{}")}.${part("{}")}.AB`],
  ["a part of an impossible length", `${part("{}")}.${part("{}")}.AAAAA`],
  ["a header that is a list", `${part("[]")}.${part("{}")}.AAAA`],
  ["a payload that is a text (RFC 7519 §7.2)", `${part("{}")}.${part('"a"')}.AAAA`],
  ["a payload that is null", `${part("{}")}.${part("null")}.AAAA`],
  ["a payload that is not UTF-8", `${part("{}")}.${Buffer.from([0x22, 0xff, 0x22]).toString("base64url")}.AAAA`],
  ["a payload that is not JSON", `${part("{}")}.${part("{")}.AAAA`],
];
test.each(refused)("refuses %s", (_, compact) => {
  expect(decodeJws(compact)).toBeNull();
});
