import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { type FormValue, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import {
  authorize,
  type FapiClient,
  grantTokens,
  push,
  redeem,
  registerPair,
} from "../../../support/oauth/fapi-clients.ts";
import { codeForm, mandateDetails, pushFields } from "../../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer, signAssertion, signProof } from "../../../support/oauth/oauth-client.ts";
import {
  type Merchant,
  makeInitialAccessToken,
  type Party,
  postAs,
  registerMerchant,
} from "../../../support/oauth/parties.ts";
import { makeExchanger, tokenExchangeGrant, tokenTypeUri } from "../../../support/oauth/token-exchange.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const tokenUrl = `${sandboxUrl}/oauth/token`;
const now = () => Math.floor(Date.now() / 1000);

let merchant: Merchant;
let client: FapiClient;
let key: Signer;
beforeAll(async () => {
  [merchant, key] = [await registerMerchant(sandboxUrl), await makeKey()];
  [client] = await registerPair(sandboxUrl);
});

const requestToken = (proof: string) =>
  postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials" }, proof });

describe("RFC 9449 §4.3: responds with invalid_dpop_proof to a proof", () => {
  type Row = { rule: string; options: () => Partial<Parameters<typeof signProof>[1]> };
  const rows: Row[] = [
    { rule: "3: without jti", options: () => ({ claims: { jti: undefined } }) },
    { rule: "3: without htm", options: () => ({ claims: { htm: undefined } }) },
    { rule: "3: without htu", options: () => ({ claims: { htu: undefined } }) },
    { rule: "3: without iat", options: () => ({ claims: { iat: undefined } }) },
    { rule: "4: whose typ is JWT", options: () => ({ header: { typ: "JWT" } }) },
    { rule: "4: without typ", options: () => ({ header: { typ: undefined } }) },
    { rule: "6: without jwk", options: () => ({ header: { jwk: undefined } }) },
    { rule: "6: whose jwk isn't a key", options: () => ({ header: { jwk: { kty: "EC" } } }) },
    { rule: "6: whose jwk is symmetric", options: () => ({ header: { jwk: { kty: "oct", k: "c2VjcmV0" } } }) },
    { rule: "8: for another method", options: () => ({ method: "GET" }) },
    { rule: "8: for a method in lower case", options: () => ({ claims: { htm: "post" } }) },
    { rule: "9: for another path", options: () => ({ url: `${sandboxUrl}/oauth/par` }) },
    { rule: "9: for a path in upper case", options: () => ({ url: tokenUrl.toUpperCase() }) },
    { rule: "9: for a path with an added slash", options: () => ({ url: `${tokenUrl}/` }) },
    { rule: "9: with a user name in the URL", options: () => ({ url: tokenUrl.replace("://", "://user@") }) },
    { rule: "9: for another host", options: () => ({ url: "https://other.example/oauth/token" }) },
    { rule: "9: for another port", options: () => ({ url: `${productionUrl}/oauth/token` }) },
    { rule: "9: whose htu isn't an absolute URL", options: () => ({ claims: { htu: "/oauth/token" } }) },
    { rule: "11: more than 60 s old", options: () => ({ claims: { iat: now() - 70 } }) },
    { rule: "11: more than 60 s in the future", options: () => ({ claims: { iat: now() + 70 } }) },
    { rule: "RFC 7519 §4.1.4: whose exp has passed", options: () => ({ claims: { exp: now() - 61 } }) },
    { rule: "RFC 7519 §4.1.4: whose exp is a string", options: () => ({ claims: { exp: String(now() + 60) } }) },
    { rule: "RFC 7519 §4.1.5: whose nbf is far in the future", options: () => ({ claims: { nbf: now() + 3600 } }) },
    { rule: "11: whose iat is a string", options: () => ({ claims: { iat: String(now()) } }) },
    { rule: "3: whose jti is empty", options: () => ({ claims: { jti: "" } }) },
    { rule: "3: whose jti is a number", options: () => ({ claims: { jti: 7 } }) },
    { rule: "3: whose jti contains NUL", options: () => ({ claims: { jti: "a\0" } }) },
    { rule: "10: whose nonce is a number", options: () => ({ claims: { nonce: 7 } }) },
    { rule: "3: whose jti is longer than 256 characters", options: () => ({ claims: { jti: "j".repeat(257) } }) },
  ];
  test.each(rows)("$rule", async ({ options }) => {
    expectOAuthError(
      await requestToken(await signProof(key, { url: tokenUrl, ...options() })),
      400,
      "invalid_dpop_proof",
    );
  });

  test.each(["", "x", "a.b.c", "e30.e30.e30", "{}"])("2: not a JWT: %j", async (proof) => {
    expectOAuthError(await requestToken(proof || " "), 400, "invalid_dpop_proof");
  });

  test("1: two DPoP headers", async () => {
    const [one, other] = [await signProof(key, { url: tokenUrl }), await signProof(key, { url: tokenUrl })];
    expectOAuthError(await requestToken(`${one}, ${other}`), 400, "invalid_dpop_proof");
  });

  test("5: alg none and HS256", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { jti: randomUUID(), htm: "POST", htu: tokenUrl, iat: now() };
    const unsecured = `${part({ alg: "none", typ: "dpop+jwt", jwk: key.publicJwk })}.${part(claims)}.`;
    expectOAuthError(await requestToken(unsecured), 400, "invalid_dpop_proof");
    const header = { alg: "HS256", typ: "dpop+jwt", jwk: { kty: "oct" } };
    const symmetric = await new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode("secret"));
    expectOAuthError(await requestToken(symmetric), 400, "invalid_dpop_proof");
  });

  test("6: signed by another key than its jwk", async () => {
    const forged = await signProof(
      { privateKey: (await makeKey()).privateKey, publicJwk: key.publicJwk },
      { url: tokenUrl },
    );
    expectOAuthError(await requestToken(forged), 400, "invalid_dpop_proof");
  });

  test("7: whose jwk contains the private key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const proof = await signProof(
      { privateKey, publicJwk: {} },
      { url: tokenUrl, header: { jwk: await exportJWK(privateKey) } },
    );
    expectOAuthError(await requestToken(proof), 400, "invalid_dpop_proof");
  });

  test("11: already used, even with a longer query; a proof of another key may have the same jti (§11.1)", async () => {
    const jti = randomUUID();
    const proof = await signProof(key, { url: tokenUrl, claims: { jti } });
    expect((await requestToken(proof)).status).toBe(200);
    expectOAuthError(await requestToken(proof), 400, "invalid_dpop_proof");
    const again = await signProof(key, { url: `${tokenUrl}?again`, claims: { jti, iat: decodeJwt(proof).iat } });
    expectOAuthError(await requestToken(again), 400, "invalid_dpop_proof");
    expect((await requestToken(await signProof(await makeKey(), { url: tokenUrl, claims: { jti } }))).status).toBe(200);
  });
});

describe("RFC 9449 §4.3, §5: accepts a proof", () => {
  test("whose jti was sent earlier, but only with an invalid signature (docs/spec/oauth.md, Replay protection)", async () => {
    const claims = { jti: randomUUID(), iat: now() };
    const { privateKey } = await makeKey();
    const forged = await signProof({ privateKey, publicJwk: key.publicJwk }, { url: tokenUrl, claims });
    expectOAuthError(await requestToken(forged), 400, "invalid_dpop_proof");
    expect((await requestToken(await signProof(key, { url: tokenUrl, claims }))).status).toBe(200);
  });

  test.each([
    ["htu with query and fragment", () => ({ url: `${tokenUrl}?a=b#c` })],
    ["htu with the scheme in another case", () => ({ url: tokenUrl.replace("http", "HTTP") })],
    ["htu with an equivalent escape (RFC 3986 §6.2.2.2)", () => ({ url: tokenUrl.replace("token", "t%6fken") })],
    ["30 s old", () => ({ claims: { iat: now() - 30 } })],
    ["30 s in the future", () => ({ claims: { iat: now() + 30 } })],
    ["with unknown members", () => ({ claims: { more: true } })],
  ])("%s", async (_name, options) => {
    const answer = await requestToken(await signProof(key, { url: tokenUrl, ...options() }));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ token_type: "DPoP" });
  });
});

test.each(["ES256", "PS256", "EdDSA", "Ed25519"])(
  "RFC 9449 §5, §6.1: binds the token of %s to the proof's key",
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const proof = await signProof({ privateKey, publicJwk }, { url: tokenUrl, header: { alg, jwk: publicJwk } });
    const answer = await requestToken(proof);
    expect(answer.json).toMatchObject({ token_type: "DPoP" });
    const { cnf } = decodeJwt(textOf(answer, "access_token"));
    expect(cnf).toEqual({ jkt: await calculateJwkThumbprint(publicJwk) });
  },
);

test("RFC 9449 §5: without a proof, issues a Bearer token if the client didn't register bound tokens", async () => {
  const answer = await postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials" } });
  expect(answer.json).toMatchObject({ token_type: "Bearer" });
  expect(decodeJwt(textOf(answer, "access_token"))).not.toHaveProperty("cnf");
});

test("RFC 9449 §5.2: issues only bound tokens to a client that registered dpop_bound_access_tokens", async () => {
  const bound = await registerMerchant(sandboxUrl, { metadata: { dpop_bound_access_tokens: true } });
  const fields = { grant_type: "client_credentials" };
  expectOAuthError(await postAs(bound, "/oauth/token", { form: fields }), 400, "invalid_dpop_proof");
  expect((await postAs(bound, "/oauth/token", { form: fields, dpop: key })).json).toMatchObject({ token_type: "DPoP" });
});

describe("RFC 9449 §8: nonces", () => {
  test("each response of token endpoint and PAR has a nonce, which scripts can read and which is accepted", async () => {
    const first = await requestToken(await signProof(key, { url: tokenUrl }));
    const nonce = first.headers.get("dpop-nonce");
    expect(nonce).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(first.headers.get("access-control-expose-headers")).toContain("dpop-nonce");
    expect((await requestToken(await signProof(key, { url: tokenUrl, claims: { nonce } }))).status).toBe(200);
    const pushed = await push(client);
    expect(pushed.answer.headers.get("dpop-nonce")).toBeTruthy();
  });

  test("an unknown nonce at the token endpoint or PAR gets 400 use_dpop_nonce with a new one", async () => {
    const claims = { nonce: "made-up" };
    const atPar = { proof: await signProof(key, { url: `${sandboxUrl}/oauth/par`, claims }) };
    for (const answer of [
      await requestToken(await signProof(key, { url: tokenUrl, claims })),
      (await push(client, {}, atPar)).answer,
    ]) {
      expectOAuthError(answer, 400, "use_dpop_nonce");
      expect(answer.headers.get("dpop-nonce")).toBeTruthy();
    }
  });

  test("refuses production's nonce in the sandbox", async () => {
    const { token } = await makeInitialAccessToken("production", "merchant");
    const live = await registerMerchant(productionUrl, { headers: { authorization: `Bearer ${token}` } });
    const fields = { grant_type: "client_credentials" };
    const nonce = (await postAs(live, "/oauth/token", { form: fields, dpop: key })).headers.get("dpop-nonce");
    expect(nonce).toBeTruthy();
    const proof = await signProof(key, { url: tokenUrl, claims: { nonce } });
    expectOAuthError(await requestToken(proof), 400, "use_dpop_nonce");
  });

  /** The requests that have a client assertion and an optional proof, complete except for these two. */
  const requests: [
    string,
    () => Promise<{ party: Party; path: string; form: Record<string, FormValue>; dpop: Signer }>,
  ][] = [
    [
      "PAR",
      async () => {
        const { form } = pushFields([mandateDetails(client.merchant.merchantId)], { redirect_uri: client.redirectUri });
        return { party: client, path: "/oauth/par", form, dpop: client.dpop };
      },
    ],
    [
      "client_credentials",
      async () => ({ party: merchant, path: "/oauth/token", form: { grant_type: "client_credentials" }, dpop: key }),
    ],
    [
      "authorization_code",
      async () => {
        const form = codeForm(await authorize(client), { redirect_uri: client.redirectUri });
        return { party: client, path: "/oauth/token", form, dpop: client.dpop };
      },
    ],
    [
      "refresh_token",
      async () => {
        const refreshToken = textOf(await grantTokens(client), "refresh_token");
        const form = { grant_type: "refresh_token", refresh_token: refreshToken };
        return { party: client, path: "/oauth/token", form, dpop: client.dpop };
      },
    ],
    [
      "token exchange",
      async () => {
        const { agent, dpop, accessToken, merchant: payee } = await makeExchanger(sandboxUrl);
        const subject = { subject_token: accessToken, subject_token_type: tokenTypeUri("access_token") };
        const form = { grant_type: tokenExchangeGrant, ...subject, audience: payee.merchantId };
        return { party: agent, path: "/oauth/token", form, dpop };
      },
    ],
  ];
  test.each(requests)(
    "%s: a challenge leaves the assertion unused, so the same assertion is accepted once with the nonce",
    async (_name, make) => {
      const { party, path, form, dpop } = await make();
      const assertion = await signAssertion(party, sandboxUrl);
      const sendRequest = async (nonce: string | null) => {
        const proof = await signProof(dpop, { url: `${sandboxUrl}${path}`, claims: { nonce } });
        return postAs(party, path, { form: { ...form, client_assertion: assertion }, proof });
      };
      const challenged = await sendRequest("stale");
      expectOAuthError(challenged, 400, "use_dpop_nonce");
      const nonce = challenged.headers.get("dpop-nonce");
      const answer = await sendRequest(nonce);
      expect([200, 201], answer.text).toContain(answer.status);
      expectOAuthError(await sendRequest(nonce), 401, "invalid_client");
    },
  );

  test("any other error in a proof uses up the assertion", async () => {
    const assertion = { client_assertion: await signAssertion(merchant, sandboxUrl), grant_type: "client_credentials" };
    const proof = await signProof(key, { url: tokenUrl, claims: { iat: now() - 90 } });
    expectOAuthError(await postAs(merchant, "/oauth/token", { form: assertion, proof }), 400, "invalid_dpop_proof");
    expectOAuthError(await postAs(merchant, "/oauth/token", { form: assertion, dpop: key }), 401, "invalid_client");
  });

  test("a challenge consumes no code (docs/spec/oauth.md, Authorization codes)", async () => {
    const code = await authorize(client);
    const proof = await signProof(client.dpop, { url: tokenUrl, claims: { nonce: "stale" } });
    const challenged = await redeem(client, code, { posting: { proof } });
    expectOAuthError(challenged, 400, "use_dpop_nonce");
    const nonce = challenged.headers.get("dpop-nonce");
    const answered = { proof: await signProof(client.dpop, { url: tokenUrl, claims: { nonce } }) };
    expect((await redeem(client, code, { posting: answered })).status).toBe(200);
  });
});
