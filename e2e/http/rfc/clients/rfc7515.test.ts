import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../../support/answers/error-shape.ts";
import { send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { makeKey, type Signer, signAssertion, signProof } from "../../../support/oauth/oauth-client.ts";
import { clientToken, type Merchant, postAs, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const tokenUrl = `${sandboxUrl}/oauth/token`;
const charges = `${sandboxUrl}/merchant_test/charges`;
const fields = { grant_type: "client_credentials" };

let merchant: Merchant;
let key: Signer;
let accessToken: string;
beforeAll(async () => {
  [merchant, key] = [await registerMerchant(sandboxUrl), await makeKey()];
  accessToken = await clientToken(merchant);
});

type Spoil = (jws: string) => string;
const bytesOf = (part: string) => Buffer.from(part, "base64url");
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** The JWS with a signature derived from the 64 bytes of the original one. */
const signed =
  (change: (signature: Buffer) => Uint8Array): Spoil =>
  (jws) => {
    const [header, payload, signature = ""] = jws.split(".");
    return `${header}.${payload}.${text(change(bytesOf(signature)))}`;
  };

/** The JWS with one part rewritten and the original signature. */
const rewritten =
  (index: 0 | 1, change: (json: string) => string): Spoil =>
  (jws) =>
    jws
      .split(".")
      .map((part, at) => (at === index ? text(Buffer.from(change(bytesOf(part).toString()))) : part))
      .join(".");

/** A SEQUENCE of two INTEGERs, as X.509 and TLS encode an ECDSA signature. */
const der = (signature: Buffer): Uint8Array => {
  const integer = (value: Buffer) => {
    const positive = (value[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), value]) : value;
    return Buffer.concat([Buffer.from([2, positive.length]), positive]);
  };
  const both = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, both.length]), both]);
};

const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
const plusOrder = (signature: Buffer): Uint8Array => {
  const sum = BigInt(`0x${signature.subarray(32).toString("hex")}`) + order;
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(sum.toString(16).padStart(66, "0"), "hex")]);
};

const malformed: [string, Spoil][] = [
  ["a signature of zeros (CVE-2022-21449)", signed(() => new Uint8Array(64))],
  ["a signature in DER (RFC 7518 §3.4)", signed(der)],
  ["no signature", signed(() => new Uint8Array(0))],
  ["a byte less", signed((signature) => signature.subarray(0, 63))],
  ["a byte more", signed((signature) => Buffer.concat([signature, Buffer.from([0])]))],
  [
    "a zero before each half",
    signed((signature) =>
      Buffer.concat([Buffer.of(0), signature.subarray(0, 32), Buffer.of(0), signature.subarray(32)]),
    ),
  ],
  ["a half that is larger than the curve's order", signed(plusOrder)],
  ["swapped halves", signed((signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)]))],
  ["padding after the signature (§2)", (jws) => `${jws}==`],
  ["padding after the payload (§2)", (jws) => jws.replace(/\.([^.]*)\./, ".$1=.")],
  [
    "unused bits that are set at the end of the signature (RFC 4648 §3.5)",
    (jws) => `${jws.slice(0, -1)}${withUnusedBits(jws.at(-1) ?? "")}`,
  ],
  ["a percent sign among the characters", (jws) => `${jws.slice(0, -4)}%${jws.slice(-3)}`],
  ["a fourth part", (jws) => `${jws}.`],
  [
    "the JSON serialization (§7.2)",
    (jws) => {
      const [header, payload, signature] = jws.split(".");
      return JSON.stringify({ protected: header, payload, signature });
    },
  ],
  ["another alg in the header", rewritten(0, (json) => json.replace("ES256", "PS256"))],
  ["a header with more spaces", rewritten(0, (json) => json.replace("{", "{ "))],
  ["a payload with more spaces", rewritten(1, (json) => json.replace("{", "{ "))],
];

/** The last character of 64 bytes has two unused bits. */
const withUnusedBits = (character: string): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(character) + 1] ?? "A";
};

describe("RFC 7515 §5.2: accepts a JWS only in the exact form that was signed", () => {
  test.each(malformed)("refuses an assertion with %s", async (_name, spoil) => {
    const client_assertion = spoil(await signAssertion(merchant, sandboxUrl));
    expectOAuthError(
      await postAs(merchant, "/oauth/token", { form: { ...fields, client_assertion } }),
      401,
      "invalid_client",
    );
  });

  test.each(malformed)("refuses a DPoP proof with %s", async (_name, spoil) => {
    const proof = spoil(await signProof(key, { url: tokenUrl }));
    expectOAuthError(await postAs(merchant, "/oauth/token", { form: fields, proof }), 400, "invalid_dpop_proof");
  });

  test.each(malformed)("refuses an access token with %s", async (_name, spoil) => {
    const headers = { authorization: `Bearer ${spoil(accessToken)}` };
    expectProblem(await send(charges, { headers }), 401, "invalid_token");
    const fields = { token: spoil(accessToken) };
    expect((await postAs(merchant, "/oauth/introspect", { form: fields })).text).toBe('{"active":false}');
  });

  test("accepts all three unchanged", async () => {
    const proof = await signProof(key, { url: tokenUrl });
    expect((await postAs(merchant, "/oauth/token", { form: fields, proof })).status).toBe(200);
    expect((await send(charges, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(200);
  });
});
