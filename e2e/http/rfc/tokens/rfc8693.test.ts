import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../../support/answers/error-shape.ts";
import { type FormValue, postJson, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { mandateDetails, obtainMandate } from "../../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../../support/oauth/oauth-client.ts";
import { clientToken, postAs, registerAgent } from "../../../support/oauth/parties.ts";
import {
  type Exchanger,
  exchange,
  makeExchanger,
  tokenExchangeGrant,
  tokenTypeUri,
} from "../../../support/oauth/token-exchange.ts";

const { sandboxUrl, productionUrl } = currentInstance();

let own: Exchanger;
let stranger: Exchanger;
beforeAll(async () => {
  [own, stranger] = await Promise.all([makeExchanger(sandboxUrl), makeExchanger(sandboxUrl)]);
});

const mandateToken = async (): Promise<string> => textOf(await exchange(own), "access_token");

describe("RFC 8693 §2.2.1: the response", () => {
  test("describes the issued token and never contains a refresh token (docs/spec/oauth.md, Token exchange)", async () => {
    const answer = await exchange(own);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
    expect(Object.keys(answer.json ?? {}).sort()).toEqual([
      "access_token",
      "authorization_details",
      "expires_in",
      "grant_id",
      "issued_token_type",
      "token_type",
    ]);
    expect(answer.json).toMatchObject({
      issued_token_type: tokenTypeUri("access_token"),
      token_type: "DPoP",
      authorization_details: [{ identifier: own.mandateId }],
    });
  });

  test("the token is for one merchant, bound to the subject's key, and verifiable with only the metadata", async () => {
    const jwks = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet;
    const { payload } = await jwtVerify(await mandateToken(), createLocalJWKSet(jwks), {
      issuer: sandboxUrl,
      audience: own.merchant.merchantId,
      typ: "paygrant-mandate+jwt",
      algorithms: ["ES256"],
    });
    const subject = decodeJwt(own.accessToken);
    expect(payload).toMatchObject({
      sub: subject.sub,
      client_id: own.agent.id,
      cnf: { jkt: await calculateJwkThumbprint(own.dpop.publicJwk) },
      authorization_details: subject["authorization_details"],
      spend_id: expect.stringMatching(/^spd_/),
      env: "sandbox",
    });
    expect(payload).not.toHaveProperty("scope");
    expect(payload.jti).not.toBe(subject.jti);
    expect(Number(payload.exp) - Number(payload.iat)).toBeLessThanOrEqual(300);
    expect(Number(payload.exp)).toBeLessThanOrEqual(Number(subject.exp));
  });

  test("accepts requested_token_type with the type that is issued", async () => {
    expect((await exchange(own, { requested_token_type: tokenTypeUri("access_token") })).status).toBe(200);
  });

  test("accepts narrower authorization_details (RFC 9396 §6.1)", async () => {
    const details = [{ identifier: own.mandateId, type: "payment_mandate_v1", max_total_amount: 500, max_payments: 1 }];
    const answer = await exchange(own, { authorization_details: JSON.stringify(details) });
    expect(answer.json).toMatchObject({ authorization_details: [{ max_total_amount: 500, max_payments: 1 }] });
  });
});

describe("RFC 8693 §2.2.2: refuses, with the right error code", () => {
  const rows: [string, string, Record<string, FormValue>][] = [
    ["no subject_token (§2.1)", "invalid_request", { subject_token: undefined }],
    ["an empty subject_token (RFC 6749 §3.2)", "invalid_request", { subject_token: "" }],
    ["no subject_token_type (§2.1)", "invalid_request", { subject_token_type: undefined }],
    [
      "a subject_token_type of refresh tokens",
      "invalid_request",
      { subject_token_type: tokenTypeUri("refresh_token") },
    ],
    ["a subject_token_type of any JWT", "invalid_request", { subject_token_type: tokenTypeUri("jwt") }],
    ["a subject_token_type that isn't a URI of §3", "invalid_request", { subject_token_type: "access_token" }],
    ["a subject_token that isn't a token: not invalid_grant", "invalid_request", { subject_token: "eyJ.eyJ.x" }],
    [
      "a requested_token_type that isn't supported",
      "invalid_request",
      { requested_token_type: tokenTypeUri("id_token") },
    ],
    ["an actor_token", "invalid_request", { actor_token: "eyJ", actor_token_type: tokenTypeUri("access_token") }],
    [
      "an actor_token_type without an actor_token (§2.1)",
      "invalid_request",
      { actor_token_type: tokenTypeUri("access_token") },
    ],
    ["no audience", "invalid_request", { audience: undefined }],
    ["an empty audience", "invalid_request", { audience: "" }],
    ["an unknown audience", "invalid_target", { audience: "mch_unknown" }],
    ["an audience that is a URL", "invalid_target", { audience: `${sandboxUrl}/merchant_test` }],
    ["a resource (RFC 8707)", "invalid_target", { resource: `${sandboxUrl}/merchant_test` }],
    ["a scope", "invalid_scope", { scope: "mandates.verify" }],
    ["an empty list of details", "invalid_authorization_details", { authorization_details: "[]" }],
    [
      "details without a mandate",
      "invalid_authorization_details",
      { authorization_details: '[{"type":"payment_mandate_v1","identifier":"mdt_x"}]' },
    ],
    ["details that aren't JSON", "invalid_authorization_details", { authorization_details: "{" }],
  ];
  test.each(rows)("%s: %s", async (_name, code, fields) => {
    expectOAuthError(await exchange(own, fields), 400, code);
  });

  test("wider details: invalid_authorization_details (RFC 9396 §5)", async () => {
    const wider = JSON.stringify([
      { type: "payment_mandate_v1", identifier: own.mandateId, max_total_amount: 100_001 },
    ]);
    expectOAuthError(await exchange(own, { authorization_details: wider }), 400, "invalid_authorization_details");
  });

  test("two audiences that are valid separately: invalid_target (§2.1)", async () => {
    const audience = [own.merchant.merchantId, stranger.merchant.merchantId];
    const payees = audience.map((id) => ({ id }));
    const both = { ...own, ...(await obtainMandate(own.agent, mandateDetails(audience[0] ?? "", { payees }))) };
    expectOAuthError(await exchange(both, { audience }), 400, "invalid_target");
    for (const each of audience) expect((await exchange(both, { audience: each })).status).toBe(200);
  });

  test("a merchant that the mandate doesn't name: the same error as for an unknown merchant", async () => {
    const [known, unknown] = await Promise.all([
      exchange(own, { audience: stranger.merchant.merchantId }),
      exchange(own, { audience: "mch_unknown" }),
    ]);
    expectOAuthError(known, 400, "invalid_target");
    expect(known.json).toEqual(unknown.json);
  });

  test("a repeated subject_token: invalid_request (RFC 6749 §3.2)", async () => {
    expectOAuthError(
      await exchange(own, { subject_token: [own.accessToken, own.accessToken] }),
      400,
      "invalid_request",
    );
  });

  test("a production merchant as audience and a production token as subject, in the sandbox", async () => {
    expectOAuthError(await exchange(own, { audience: productionUrl }), 400, "invalid_target");
    const elsewhere = { ...own, agent: { ...own.agent, baseUrl: productionUrl } };
    expectOAuthError(await exchange(elsewhere), 401, "invalid_client");
  });
});

describe("requires the subject's own client and key (docs/spec/oauth.md, Token exchange)", () => {
  test("another client's token: invalid_request", async () => {
    expectOAuthError(
      await exchange({ ...stranger, accessToken: own.accessToken, dpop: own.dpop }),
      400,
      "invalid_request",
    );
  });

  test("a proof by another key, or none: invalid_dpop_proof (RFC 9449 §5)", async () => {
    expectOAuthError(await exchange(own, {}, { dpop: await makeKey() }), 400, "invalid_dpop_proof");
    expectOAuthError(await exchange(own, {}, {}), 400, "invalid_dpop_proof");
  });

  test("a Bearer token as subject, even if the client may have Bearer tokens: invalid_request; its bound tokens are accepted", async () => {
    const bearer = await makeExchanger(sandboxUrl, { dpop_bound_access_tokens: false });
    expect((await exchange(bearer)).status).toBe(200);
    const refreshed = { grant_type: "refresh_token", refresh_token: bearer.refreshToken };
    const accessToken = textOf(await postAs(bearer.agent, "/oauth/token", { form: refreshed }), "access_token");
    for (const posting of [{}, { dpop: bearer.dpop }]) {
      expectOAuthError(await exchange({ ...bearer, accessToken }, {}, posting), 400, "invalid_request");
    }
  });

  test("a refresh token, a merchant's token or a revoked one as subject: invalid_request", async () => {
    const merchants = await clientToken(own.merchant);
    const ended = await obtainMandate(own.agent, mandateDetails(own.merchant.merchantId));
    await postAs(own.agent, "/oauth/revoke", { form: { token: ended.accessToken } });
    for (const accessToken of [own.refreshToken, merchants, ended.accessToken]) {
      expectOAuthError(await exchange({ ...own, ...ended, accessToken }), 400, "invalid_request");
    }
  });

  test("a mandate token can't be exchanged again", async () => {
    const accessToken = await mandateToken();
    expectOAuthError(await exchange({ ...own, accessToken }), 400, "invalid_request");
    const other = { audience: stranger.merchant.merchantId };
    expectOAuthError(await exchange({ ...own, accessToken }, other), 400, "invalid_request");
  });

  test("a client that didn't register the grant type: unauthorized_client (RFC 6749 §5.2)", async () => {
    const agent = await registerAgent(sandboxUrl);
    const granted = await obtainMandate(agent, mandateDetails(own.merchant.merchantId));
    expectOAuthError(await exchange({ ...own, agent, ...granted }), 400, "unauthorized_client");
  });
});

describe("a mandate token is for its merchant and is no access token for our resources", () => {
  test("our resources respond with 401 invalid_token, even with a proof by the token's key", async () => {
    const accessToken = await mandateToken();
    for (const path of ["charges", "credential"]) {
      const url = `${sandboxUrl}/oauth/mandates/${own.mandateId}/${path}`;
      const dpop = await signProof(own.dpop, { method: "GET", url, accessToken });
      const bound = await send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
      expectOAuthError(bound, 401, "invalid_token");
    }
    const url = `${sandboxUrl}/merchant_test/charges`;
    const dpop = await signProof(own.dpop, { method: "GET", url, accessToken });
    for (const headers of [
      { authorization: `DPoP ${accessToken}`, dpop },
      { authorization: `Bearer ${accessToken}`, dpop: "" },
    ]) {
      expectProblem(await send(url, { headers }), 401, "invalid_token");
    }
  });

  test("a mandate token ends together with its grant's refresh token (docs/spec/oauth.md, Revocation)", async () => {
    const granted = await obtainMandate(own.agent, mandateDetails(own.merchant.merchantId));
    const token = textOf(await exchange({ ...own, ...granted }), "access_token");
    const introspect = async () =>
      (await postAs(own.merchant, "/oauth/introspect", { form: { token } })).json?.["active"];
    expect(await introspect()).toBe(true);
    await postAs(own.agent, "/oauth/revoke", { form: { token: granted.refreshToken } });
    expect(await introspect()).toBe(false);
  });
});

describe("RFC 7591 §2: registering the grant type", () => {
  const register = async (metadata: object) => {
    const { publicJwk } = await makeKey();
    return postJson(`${sandboxUrl}/oauth/register`, { jwks: { keys: [publicJwk] }, ...metadata });
  };
  const redirect_uris = ["http://127.0.0.1:9/callback"];

  test("an agent can, and the response contains it", async () => {
    const grant_types = ["authorization_code", tokenExchangeGrant];
    const answer = await register({ redirect_uris, grant_types });
    expect(answer.json).toMatchObject({ grant_types });
  });

  test.each([
    ["without authorization_code", { redirect_uris, grant_types: [tokenExchangeGrant] }],
    [
      "as a merchant client",
      { grant_types: ["client_credentials", tokenExchangeGrant], scope: "mandates.verify charges.write" },
    ],
  ])("refused %s: invalid_client_metadata that names grant_types", async (_name, metadata) => {
    const answer = await register(metadata);
    expectOAuthError(answer, 400, "invalid_client_metadata");
    expect(answer.json?.["error_description"]).toContain("grant_types");
  });
});
