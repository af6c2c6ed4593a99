import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/mandate-flow.ts";
import { makeKey, type Signer, signProof } from "../../support/oauth-client.ts";
import { type Merchant, postAs, registerMerchant } from "../../support/parties.ts";
import { send, textOf } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();
const tokenUrl = `${sandboxUrl}/oauth/token`;
const now = () => Math.floor(Date.now() / 1000);

let merchant: Merchant;
let key: Signer;
beforeAll(async () => {
  [merchant, key] = [await registerMerchant(sandboxUrl), await makeKey()];
});

const askToken = (proof: string) => postAs(merchant, "/oauth/token", { grant_type: "client_credentials" }, { proof });

describe("RFC 9449 §4.3: a proof is refused with invalid_dpop_proof", () => {
  type Row = { rule: string; options: () => Partial<Parameters<typeof signProof>[1]> };
  const rows: Row[] = [
    { rule: "3: without jti", options: () => ({ claims: { jti: undefined } }) },
    { rule: "3: without htm", options: () => ({ claims: { htm: undefined } }) },
    { rule: "3: without htu", options: () => ({ claims: { htu: undefined } }) },
    { rule: "3: without iat", options: () => ({ claims: { iat: undefined } }) },
    { rule: "4: whose typ is JWT", options: () => ({ header: { typ: "JWT" } }) },
    { rule: "4: without typ", options: () => ({ header: { typ: undefined } }) },
    { rule: "6: without jwk", options: () => ({ header: { jwk: undefined } }) },
    { rule: "6: whose jwk is no key", options: () => ({ header: { jwk: { kty: "EC" } } }) },
    { rule: "8: for another method", options: () => ({ method: "GET" }) },
    { rule: "8: for a method in lower case", options: () => ({ claims: { htm: "post" } }) },
    { rule: "9: for another path", options: () => ({ url: `${sandboxUrl}/oauth/par` }) },
    { rule: "9: for another host", options: () => ({ url: "https://other.example/oauth/token" }) },
    { rule: "9: for another port", options: () => ({ url: `${currentInstance().productionUrl}/oauth/token` }) },
    { rule: "9: whose htu is no address", options: () => ({ claims: { htu: "/oauth/token" } }) },
    { rule: "11: over 60 s old", options: () => ({ claims: { iat: now() - 70 } }) },
    { rule: "11: over 60 s ahead", options: () => ({ claims: { iat: now() + 70 } }) },
    { rule: "11: whose iat is a text", options: () => ({ claims: { iat: String(now()) } }) },
    { rule: "whose jti is longer than 256 characters", options: () => ({ claims: { jti: "j".repeat(257) } }) },
  ];
  test.each(rows)("$rule", async ({ options }) => {
    expectOAuthError(await askToken(await signProof(key, { url: tokenUrl, ...options() })), 400, "invalid_dpop_proof");
  });

  test.each(["", "x", "a.b.c", "e30.e30.e30", "{}"])("2: no JWT: %j", async (proof) => {
    expectOAuthError(await askToken(proof || " "), 400, "invalid_dpop_proof");
  });

  test("1: two DPoP headers", async () => {
    const [one, other] = [await signProof(key, { url: tokenUrl }), await signProof(key, { url: tokenUrl })];
    expectOAuthError(await askToken(`${one}, ${other}`), 400, "invalid_dpop_proof");
  });

  test("5: alg none and HS256", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { jti: randomUUID(), htm: "POST", htu: tokenUrl, iat: now() };
    const unsecured = `${part({ alg: "none", typ: "dpop+jwt", jwk: key.publicJwk })}.${part(claims)}.`;
    expectOAuthError(await askToken(unsecured), 400, "invalid_dpop_proof");
    const symmetric = new SignJWT(claims).setProtectedHeader({
      alg: "HS256",
      typ: "dpop+jwt",
      jwk: { kty: "oct" },
    });
    expectOAuthError(
      await askToken(await symmetric.sign(new TextEncoder().encode("secret"))),
      400,
      "invalid_dpop_proof",
    );
  });

  test("6: signed by another key than its jwk", async () => {
    const forged = await signProof(
      { privateKey: (await makeKey()).privateKey, publicJwk: key.publicJwk },
      { url: tokenUrl },
    );
    expectOAuthError(await askToken(forged), 400, "invalid_dpop_proof");
  });

  test("7: whose jwk holds the private key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const proof = await signProof(
      { privateKey, publicJwk: {} },
      { url: tokenUrl, header: { jwk: await exportJWK(privateKey) } },
    );
    expectOAuthError(await askToken(proof), 400, "invalid_dpop_proof");
  });

  test("that was used before (RFC 9449 §11.1)", async () => {
    const proof = await signProof(key, { url: tokenUrl });
    expect((await askToken(proof)).status).toBe(200);
    expectOAuthError(await askToken(proof), 400, "invalid_dpop_proof");
  });
});

describe("RFC 9449 §4.3, §5: a proof is accepted", () => {
  test.each([
    ["htu with query and fragment", { url: `${tokenUrl}?a=b#c` }],
    ["htu with the scheme in another case", { url: tokenUrl.replace("http", "HTTP") }],
    ["30 s old", { claims: { iat: now() - 30 } }],
    ["30 s ahead", { claims: { iat: now() + 30 } }],
    ["with members that nobody knows", { claims: { more: true } }],
  ])("%s", async (_name, options) => {
    const answer = await askToken(await signProof(key, { url: tokenUrl, ...options }));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ token_type: "DPoP" });
  });
});

describe("RFC 9449 §8: nonces", () => {
  test("each answer of token and PAR brings one, and it is taken", async () => {
    const first = await askToken(await signProof(key, { url: tokenUrl }));
    const nonce = first.headers.get("dpop-nonce");
    expect(nonce).toBeTruthy();
    expect((await askToken(await signProof(key, { url: tokenUrl, claims: { nonce } }))).status).toBe(200);
  });

  test("one that we did not make is use_dpop_nonce with a fresh one", async () => {
    const answer = await askToken(await signProof(key, { url: tokenUrl, claims: { nonce: "made-up" } }));
    expectOAuthError(answer, 400, "use_dpop_nonce");
    expect(answer.headers.get("dpop-nonce")).toBeTruthy();
  });
});

describe("RFC 9449 §7: a bound token at a resource", () => {
  let standing: flow.Standing;
  beforeAll(async () => {
    standing = await flow.makeStanding(sandboxUrl);
  });
  const path = () => `/oauth/mandates/${standing.mandateId}/charges`;
  const read = (headers: Record<string, string>, to = path()) => send(`${sandboxUrl}${to}`, { headers });
  const proofFor = (options: Partial<Parameters<typeof signProof>[1]> = {}, signer = standing.dpop) =>
    signProof(signer, { method: "GET", url: `${sandboxUrl}${path()}`, accessToken: standing.accessToken, ...options });

  test("is taken with its proof, which a read may send again", async () => {
    const headers = { authorization: `DPoP ${standing.accessToken}`, dpop: await proofFor() };
    expect((await read(headers)).status).toBe(200);
    expect((await read(headers)).status).toBe(200);
  });

  test("sent as Bearer is refused (§7.2)", async () => {
    const answer = await read({ authorization: `Bearer ${standing.accessToken}` });
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  const rows: [string, string, () => Promise<Record<string, string>>][] = [
    ["without a proof", "invalid_dpop_proof", async () => ({})],
    [
      "with a proof without ath (12a)",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ claims: { ath: undefined } }) }),
    ],
    [
      "with a proof of another token's ath (12a)",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ accessToken: "other" }) }),
    ],
    ["with a proof by another key (12b)", "invalid_token", async () => ({ dpop: await proofFor({}, await makeKey()) })],
    [
      "with a proof for another method",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ method: "POST" }) }),
    ],
    [
      "with a proof for another address",
      "invalid_dpop_proof",
      async () => ({ dpop: await proofFor({ url: `${sandboxUrl}/oauth/token` }) }),
    ],
  ];
  test.each(rows)("%s: 401 %s", async (_name, code, headers) => {
    const answer = await read({ authorization: `DPoP ${standing.accessToken}`, ...(await headers()) });
    expectOAuthError(answer, 401, code);
    expect(answer.headers.get("www-authenticate")).toMatch(/^DPoP .*algs="ES256 PS256 EdDSA"/);
  });

  test("a Bearer token under the DPoP scheme is refused", async () => {
    const headers = { authorization: `DPoP ${standing.merchantToken}`, dpop: await proofFor() };
    expectProblem(await send(`${sandboxUrl}/merchant_test/charges`, { headers }), 401, "invalid_token");
  });

  test("a refreshed token takes the key of the refresh's proof (§5)", async () => {
    const other = await makeKey();
    const fields = { grant_type: "refresh_token", refresh_token: standing.refreshToken };
    const accessToken = textOf(await postAs(standing.agent, "/oauth/token", fields, { dpop: other }), "access_token");
    const dpop = await proofFor({ accessToken }, other);
    expect((await read({ authorization: `DPoP ${accessToken}`, dpop })).status).toBe(200);
  });

  test("a refresh without a proof is refused", async () => {
    const fields = { grant_type: "refresh_token", refresh_token: standing.refreshToken };
    expectOAuthError(await postAs(standing.agent, "/oauth/token", fields), 400, "invalid_dpop_proof");
  });
});
