import { calculateJwkThumbprint, decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/mandate-flow.ts";
import { makeKey, type Signer } from "../../support/oauth-client.ts";
import {
  clientToken,
  type Merchant,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../../support/parties.ts";
import { send, textOf } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();
let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});
const obtainCode = (dpop?: Signer) => flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)], dpop);
const token = (fields: Record<string, string | undefined>, dpop?: Signer, party = agent) =>
  postAs(party, "/oauth/token", fields, dpop ? { dpop } : {});

describe("RFC 6749 §5.1: a token response", () => {
  test("of a code: bound, detailed, never cached (RFC 9396 §7, RFC 9449 §5)", async () => {
    const pushed = await obtainCode();
    const answer = await token(flow.codeForm(pushed), pushed.dpop);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
    expect(answer.json).toMatchObject({
      token_type: "DPoP",
      expires_in: 300,
      refresh_token: expect.any(String),
      grant_id: expect.stringMatching(/^grt_/),
      authorization_details: [
        {
          type: "payment_mandate_v1",
          identifier: expect.stringMatching(/^mdt_/),
          payment_instrument: { type: "card" },
        },
      ],
    });
    const claims = decodeJwt(textOf(answer, "access_token"));
    expect(claims).toMatchObject({
      iss: sandboxUrl,
      aud: sandboxUrl,
      client_id: agent.id,
      env: "sandbox",
      cnf: { jkt: await calculateJwkThumbprint(pushed.dpop.publicJwk) },
      authorization_details: answer.json?.["authorization_details"],
      acr: "urn:paygrant:acr:password",
      auth_time: expect.any(Number),
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
  });

  test("of client credentials: scope told, no refresh token", async () => {
    const answer = await token({ grant_type: "client_credentials" }, undefined, merchant);
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 600,
      scope: "mandates.verify charges.write charges.read",
    });
  });

  test("sub is pairwise: two clients of one payer can't compare (1-oauth, Clients, scopes, resources)", async () => {
    const stranger = await registerAgent(sandboxUrl);
    const [one, two] = await Promise.all(
      [agent, stranger].map((party) => flow.obtainMandate(party, flow.mandateDetails(merchant.merchantId))),
    );
    const again = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const subjectOf = (granted: flow.Granted | undefined) => decodeJwt(granted?.accessToken ?? "").sub;
    expect(subjectOf(one)).not.toBe(subjectOf(two));
    expect(subjectOf(again)).toBe(subjectOf(one));
  });
});

describe("RFC 6749 §5.2: token errors", () => {
  const rows: [string, string, Record<string, string>][] = [
    ["no grant_type", "invalid_request", {}],
    ["an unknown grant_type", "unsupported_grant_type", { grant_type: "password" }],
    ["a grant_type named like a member of objects", "unsupported_grant_type", { grant_type: "toString" }],
    ["a grant_type that isn't registered", "unauthorized_client", { grant_type: "client_credentials" }],
    ["no code", "invalid_request", { grant_type: "authorization_code" }],
    ["an empty code", "invalid_request", { grant_type: "authorization_code", code: "" }],
    [
      "an unknown code",
      "invalid_grant",
      {
        grant_type: "authorization_code",
        code: "x",
        redirect_uri: "http://127.0.0.1:9/callback",
        code_verifier: "v".repeat(43),
      },
    ],
    ["no refresh_token", "invalid_request", { grant_type: "refresh_token" }],
    ["an unknown refresh_token", "invalid_grant", { grant_type: "refresh_token", refresh_token: "x" }],
  ];
  test.each(rows)("%s: %s", async (_name, code, fields) => {
    expectOAuthError(await token(fields, await makeKey()), 400, code);
  });

  test.each([
    ["an unknown scope", { scope: "everything" }, "invalid_scope"],
    ["a scope of agents", { scope: "grant_management_query" }, "invalid_scope"],
    ["a scope that isn't registered", { scope: "refunds.write" }, "invalid_scope"],
    ["a foreign resource (RFC 8707 §2)", { resource: "https://other.example" }, "invalid_target"],
    ["the resource of other scopes", { resource: sandboxUrl }, "invalid_target"],
  ])("client_credentials with %s", async (_name, fields, code) => {
    expectOAuthError(await token({ grant_type: "client_credentials", ...fields }, undefined, merchant), 400, code);
  });
});

describe("a failed check consumes no code (1-oauth, Code)", () => {
  const rows: [string, string, (pushed: flow.PushedCode) => ReturnType<typeof token>][] = [
    [
      "another verifier (RFC 7636 §4.6)",
      "invalid_grant",
      async (pushed) => token(flow.codeForm(pushed, { code_verifier: "v".repeat(43) }), pushed.dpop),
    ],
    [
      "a verifier of 42 characters (RFC 7636 §4.1)",
      "invalid_grant",
      async (pushed) => token(flow.codeForm(pushed, { code_verifier: "v".repeat(42) }), pushed.dpop),
    ],
    [
      "no verifier (RFC 7636 §4.6)",
      "invalid_grant",
      async (pushed) => token(flow.codeForm(pushed, { code_verifier: undefined }), pushed.dpop),
    ],
    [
      "another redirect_uri (RFC 6749 §4.1.3)",
      "invalid_grant",
      async (pushed) => token(flow.codeForm(pushed, { redirect_uri: "http://127.0.0.1:10/callback" }), pushed.dpop),
    ],
    [
      "no redirect_uri",
      "invalid_request",
      async (pushed) => token(flow.codeForm(pushed, { redirect_uri: undefined }), pushed.dpop),
    ],
    [
      "another client",
      "invalid_grant",
      async (pushed) => token(flow.codeForm(pushed), pushed.dpop, await registerAgent(sandboxUrl)),
    ],
    [
      "another key's proof (RFC 9449 §10)",
      "invalid_dpop_proof",
      async (pushed) => token(flow.codeForm(pushed), await makeKey()),
    ],
    ["no proof", "invalid_dpop_proof", async (pushed) => token(flow.codeForm(pushed))],
  ];
  test.each(rows)("%s: %s, and the code still works", async (_name, code, attempt) => {
    const pushed = await obtainCode();
    expectOAuthError(await attempt(pushed), 400, code);
    expect((await token(flow.codeForm(pushed), pushed.dpop)).status).toBe(200);
  });
});

describe("refresh (RFC 6749 §6; 1-oauth, Refresh)", () => {
  test("a FAPI client's token isn't rotated; narrowing by identifier is allowed", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    for (const authorization_details of [undefined, JSON.stringify([{ identifier: granted.mandateId }])]) {
      const answer = await token({ ...fields, authorization_details }, granted.dpop);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json).not.toHaveProperty("refresh_token");
      expect(answer.json).toMatchObject({ authorization_details: [{ identifier: granted.mandateId }] });
    }
  });

  test("widening is refused", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    expectOAuthError(await token({ ...fields, scope: "grant_management_query" }, granted.dpop), 400, "invalid_scope");
    const wider = JSON.stringify([{ identifier: granted.mandateId, max_total_amount: 999_999 }]);
    expectOAuthError(
      await token({ ...fields, authorization_details: wider }, granted.dpop),
      400,
      "invalid_authorization_details",
    );
  });

  test("another client's refresh token is unknown", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    expectOAuthError(await token(fields, granted.dpop, await registerAgent(sandboxUrl)), 400, "invalid_grant");
  });
});

describe("revocation (RFC 7009)", () => {
  test("of an unknown token is 200 (§2.2), without one invalid_request", async () => {
    expect((await postAs(agent, "/oauth/revoke", { token: "unknown" })).status).toBe(200);
    expectOAuthError(await postAs(agent, "/oauth/revoke", {}), 400, "invalid_request");
  });

  test("of another client's token is refused (§2.1), and the token lives on", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const stranger = await registerAgent(sandboxUrl);
    for (const value of [granted.accessToken, granted.refreshToken]) {
      expectOAuthError(await postAs(stranger, "/oauth/revoke", { token: value }), 400);
    }
    expect((await postAs(agent, "/oauth/introspect", { token: granted.accessToken })).json).toMatchObject({
      active: true,
    });
  });

  test("of an access token ends that one alone, at the very next request", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const fields = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    const second = textOf(await token(fields, granted.dpop), "access_token");
    const revoked = await postAs(agent, "/oauth/revoke", { token: granted.accessToken });
    expect([revoked.status, revoked.text]).toEqual([200, ""]);
    const active = async (value: string) =>
      (await postAs(agent, "/oauth/introspect", { token: value })).json?.["active"];
    expect([await active(granted.accessToken), await active(second)]).toEqual([false, true]);
  });

  test("of a refresh token takes its access tokens and its mandate with it (1-oauth, Revoke)", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    await postAs(standing.agent, "/oauth/revoke", { token: standing.refreshToken });
    expect((await postAs(standing.agent, "/oauth/introspect", { token: standing.accessToken })).text).toBe(
      '{"active":false}',
    );
    expectOAuthError(
      await flow.agentGet(standing, `/oauth/mandates/${standing.mandateId}/charges`),
      401,
      "invalid_token",
    );
    const charged = await flow.charge(standing);
    expect(charged.json).toMatchObject({ reasons: [{ code: "mandate_revoked" }] });
  });
});

describe("introspection (RFC 7662)", () => {
  test("of one's own live token tells its claims, and no epoch of ours", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    const answer = await postAs(standing.agent, "/oauth/introspect", { token: standing.accessToken });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      active: true,
      client_id: standing.agent.id,
      token_type: "DPoP",
      iss: sandboxUrl,
      cnf: { jkt: expect.any(String) },
    });
    expect(Object.keys(answer.json ?? {}).filter((name) => name.includes("epoch"))).toEqual([]);
    const refresh = await postAs(standing.agent, "/oauth/introspect", { token: standing.refreshToken });
    expect(refresh.json).toMatchObject({ active: true, client_id: standing.agent.id });
  });

  test("of anything else says inactive and nothing more (§2.2)", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    const stranger = await registerAgent(sandboxUrl);
    const tampered = `${standing.accessToken.slice(0, -4)}AAAA`;
    for (const [party, value] of [
      [standing.agent, "unknown"],
      [standing.agent, tampered],
      [stranger, standing.accessToken],
      [stranger, standing.refreshToken],
      [standing.merchant, standing.accessToken],
    ] as const) {
      expect((await postAs(party, "/oauth/introspect", { token: value })).text).toBe('{"active":false}');
    }
  });
});

describe("a resource refuses what isn't for it (RFC 9068 §4, RFC 6750 §3.1)", () => {
  test("an agent's token at /merchant_test, and a merchant's at the authorization server", async () => {
    const standing = await flow.makeStanding(sandboxUrl);
    expectProblem(
      await flow.merchantGet(
        { merchant: standing.merchant, merchantToken: standing.accessToken },
        "/merchant_test/charges",
      ),
      401,
      "invalid_token",
    );
    const headers = { authorization: `Bearer ${standing.merchantToken}` };
    expectOAuthError(
      await send(`${sandboxUrl}/oauth/mandates/${standing.mandateId}/charges`, { headers }),
      401,
      "invalid_token",
    );
  });

  test("a token without the scope: 403 insufficient_scope that names it", async () => {
    const merchantToken = await clientToken(merchant, { scope: "charges.read" });
    const answer = await flow.merchantPost(
      { merchant, merchantToken },
      "/merchant_test/charge",
      {},
      { "idempotency-key": "x" },
    );
    expectProblem(answer, 403, "insufficient_scope");
    expect(answer.headers.get("www-authenticate")).toContain('scope="charges.write"');
  });
});
