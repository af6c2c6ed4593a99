import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectSound } from "../../../support/answers/error-shape.ts";
import { type Answer, send, textOf, untilAnswered } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer, signProof } from "../../../support/oauth/oauth-client.ts";
import {
  clientToken,
  type Merchant,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const grantTypes = ["authorization_code", "refresh_token", "client_credentials"];

/** An agent with its own token for the Grant Management API. */
type Manager = Party & { dpop: Signer; token: string };

const makeManager = async (scope?: string): Promise<Manager> => {
  const agent = await registerAgent(sandboxUrl, { metadata: { grant_types: grantTypes } });
  const dpop = await makeKey();
  const fields = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) };
  return { ...agent, dpop, token: textOf(await postAs(agent, "/oauth/token", { form: fields, dpop }), "access_token") };
};

let manager: Manager;
let other: Manager;
let merchant: Merchant;
beforeAll(async () => {
  [manager, other, merchant] = await Promise.all([makeManager(), makeManager(), registerMerchant(sandboxUrl)]);
});

const details = (limits: object = {}) => flow.mandateDetails(merchant.merchantId, limits);

type Call = { method: "GET" | "DELETE"; token: string; dpop: Signer; proof?: string };

const call = async (grantId: string, { method, token, dpop, proof }: Call): Promise<Answer> => {
  const url = `${sandboxUrl}/oauth/grants/${grantId}`;
  const dpopHeader = proof ?? (await signProof(dpop, { method, url, accessToken: token }));
  return send(url, { method, headers: { authorization: `DPoP ${token}`, dpop: dpopHeader } });
};
const query = (grantId: string, by: Manager = manager) => call(grantId, { ...by, method: "GET" });
const revoke = (grantId: string, by: Manager = manager) => call(grantId, { ...by, method: "DELETE" });

const grant = (limits: object = {}, by: Manager = manager) => flow.obtainMandate(by, details(limits));

const push = (fields: Record<string, string | undefined>, by: Manager = manager) =>
  postAs(by, "/oauth/par", { form: flow.pushFields([details()], fields).form });

const replacing = (granted: flow.Granted) => ({ grant_management_action: "replace", grant_id: granted.grantId });

const replace = async (granted: flow.Granted, items: readonly object[]): Promise<Answer> => {
  const code = await flow.obtainCode(manager, items, { dpop: granted.dpop, fields: replacing(granted) });
  return postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: granted.dpop });
};

const isActive = async (token: string): Promise<unknown> =>
  (await postAs(manager, "/oauth/introspect", { form: { token } })).json?.["active"];

const chargeIt = async (granted: flow.Granted, fields: object = {}) =>
  flow.charge({ ...granted, merchant, merchantToken: await clientToken(merchant) }, fields);

describe("Grant Management §7.1: metadata", () => {
  test("lists the endpoint and its actions, without merge", async () => {
    const metadata = (await send(`${sandboxUrl}/.well-known/oauth-authorization-server`)).json;
    expect(metadata).toMatchObject({
      grant_management_endpoint: `${sandboxUrl}/oauth/grants`,
      grant_management_actions_supported: ["create", "query", "revoke", "replace"],
    });
    expect(metadata?.["scopes_supported"]).toEqual(
      expect.arrayContaining(["grant_management_query", "grant_management_revoke"]),
    );
  });
});

describe("Grant Management §6.4: GET returns what a grant allows", () => {
  test("returns scopes with their resource, authorization_details as granted, and the time of creation", async () => {
    const code = await flow.obtainCode(manager, [details()], { fields: { scope: "grant_management_query" } });
    const token = await postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: code.dpop });
    const answer = await query(textOf(token, "grant_id"));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toEqual({
      scopes: [{ scope: "grant_management_query", resource: [sandboxUrl] }],
      authorization_details: token.json?.["authorization_details"],
      created_at: expect.any(Number),
      last_updated: expect.any(Number),
      updated_by: "client",
      expires_at: expect.any(Number),
    });
    expect(answer.json?.["authorization_details"]).toMatchObject([
      { identifier: flow.mandateIdOf(token), type: "payment_mandate_v1", max_total_amount: 100_000 },
    ]);
    const age = Date.now() / 1000 - Number(answer.json?.["created_at"]);
    expect(age).toBeGreaterThanOrEqual(-1);
    expect(age).toBeLessThan(60);
    expect(Number(answer.json?.["expires_at"]) - Number(answer.json?.["created_at"])).toBeGreaterThan(300 * 86_400);
  });

  test("returns an empty list for a grant without scopes", async () => {
    expect((await query((await grant()).grantId)).json).toMatchObject({ scopes: [] });
  });

  test("accepts the grant's own access token too, if it has the scope", async () => {
    const code = await flow.obtainCode(manager, [details()], { fields: { scope: "grant_management_query" } });
    const answer = await postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: code.dpop });
    const [token, grantId] = [textOf(answer, "access_token"), textOf(answer, "grant_id")];
    expect((await call(grantId, { method: "GET", token, dpop: code.dpop })).status).toBe(200);
    const refused = await call(grantId, { method: "DELETE", token, dpop: code.dpop });
    expectOAuthError(refused, 403, "insufficient_scope");
    expect(refused.headers.get("www-authenticate")).toContain('scope="grant_management_revoke"');
  });

  test("refuses a payer's token for another grant of the same client (RFC 9700 §2.3)", async () => {
    const scope = "grant_management_query grant_management_revoke";
    const code = await flow.obtainCode(manager, [details()], { fields: { scope } });
    const answer = await postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: code.dpop });
    const by = { token: textOf(answer, "access_token"), dpop: code.dpop };
    const { grantId: another } = await grant();
    for (const method of ["GET", "DELETE"] as const) {
      expectOAuthError(await call(another, { ...by, method }), 404, "invalid_grant_id");
    }
    expect((await query(another)).status).toBe(200);
    expect((await call(textOf(answer, "grant_id"), { ...by, method: "DELETE" })).status).toBe(204);
  });

  test("accepts a Bearer token if the client's tokens are unbound", async () => {
    const metadata = { grant_types: grantTypes, dpop_bound_access_tokens: false };
    const bearer = await registerAgent(sandboxUrl, { metadata });
    const granted = await flow.obtainMandate(bearer, details());
    const authorization = `Bearer ${await clientToken(bearer)}`;
    const url = `${sandboxUrl}/oauth/grants/${granted.grantId}`;
    expect((await send(url, { headers: { authorization } })).status).toBe(200);
    expect((await send(url, { method: "DELETE", headers: { authorization } })).status).toBe(204);
  });
});

describe("Grant Management §6.6, §10: another client's grant gets the same answer as an unknown one", () => {
  test("GET and DELETE of an unknown grant, an ended grant and another client's grant get the same 404", async () => {
    const [foreign, ended] = [await grant({}, other), await grant()];
    await revoke(ended.grantId);
    const answers = await Promise.all([
      query("grt_unknown"),
      query(foreign.grantId),
      query(ended.grantId),
      query("0"),
      revoke("grt_unknown"),
      revoke(foreign.grantId),
    ]);
    for (const answer of answers) expectOAuthError(answer, 404, "invalid_grant_id");
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await query(foreign.grantId, other)).status).toBe(200);
  });

  const rows: [string, number, string, () => Promise<Answer>][] = [
    ["no token", 401, "invalid_token", () => send(`${sandboxUrl}/oauth/grants/grt_x`)],
    [
      "a made-up token",
      401,
      "invalid_token",
      () => send(`${sandboxUrl}/oauth/grants/grt_x`, { headers: { authorization: "Bearer a.b.c" } }),
    ],
    [
      "a merchant's token, which is for another resource",
      401,
      "invalid_token",
      async () =>
        send(`${sandboxUrl}/oauth/grants/grt_x`, {
          headers: { authorization: `Bearer ${await clientToken(merchant)}` },
        }),
    ],
    [
      "a bound token as Bearer (RFC 9449 §7.2)",
      401,
      "invalid_token",
      () => send(`${sandboxUrl}/oauth/grants/grt_x`, { headers: { authorization: `Bearer ${manager.token}` } }),
    ],
    [
      "a token without the scope",
      403,
      "insufficient_scope",
      async () => query("grt_x", await makeManager("grant_management_revoke")),
    ],
  ];
  test.each(rows)("%s: %i %s, with a challenge (RFC 6750 §3)", async (_title, status, code, attempt) => {
    const answer = await attempt();
    expectOAuthError(answer, status, code);
    expect(answer.headers.get("www-authenticate")).toContain("resource_metadata=");
  });
});

describe("Grant Management §6.5: DELETE ends a grant", () => {
  test("responds with 204 without a body, even to a repeated request; afterwards the grant doesn't exist", async () => {
    const { grantId } = await grant();
    for (let time = 0; time < 2; time++) {
      const answer = await revoke(grantId);
      expect([answer.status, answer.text]).toEqual([204, ""]);
    }
    expect((await query(grantId)).status).toBe(404);
  });

  test("immediately ends the grant's access tokens, refresh tokens and mandate", async () => {
    const granted = await grant();
    expect((await chargeIt(granted)).status).toBe(201);
    await revoke(granted.grantId);
    expect(await isActive(granted.accessToken)).toBe(false);
    const refresh = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    expectOAuthError(
      await postAs(manager, "/oauth/token", { form: refresh, dpop: granted.dpop }),
      400,
      "invalid_grant",
    );
    const charged = await chargeIt(granted);
    expect(charged.status).toBe(403);
    expect(charged.json?.["reasons"]).toMatchObject([{ code: "mandate_revoked" }]);
  });

  test("ends a code that wasn't used yet", async () => {
    const first = await grant();
    const code = await flow.obtainCode(manager, [details({ identifier: first.mandateId })], {
      dpop: first.dpop,
      fields: replacing(first),
    });
    await revoke(first.grantId);
    expectOAuthError(
      await postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: first.dpop }),
      400,
      "invalid_grant",
    );
  });

  test("accepts a proof once (RFC 9449 §11.1)", async () => {
    const { grantId } = await grant();
    const url = `${sandboxUrl}/oauth/grants/${grantId}`;
    const proof = await signProof(manager.dpop, { method: "DELETE", url, accessToken: manager.token });
    expect((await call(grantId, { ...manager, method: "DELETE", proof })).status).toBe(204);
    expectOAuthError(await call(grantId, { ...manager, method: "DELETE", proof }), 401, "invalid_dpop_proof");
  });

  test("responds with 204 to each of fifty concurrent requests", async () => {
    const { grantId } = await grant();
    const answers = await Promise.all(Array.from({ length: 50 }, () => untilAnswered(() => revoke(grantId))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  });
});

describe("Grant Management §5.2, §5.4: at PAR", () => {
  const mistakes: [string, Record<string, string | undefined>][] = [
    ["merge, which isn't supported", { grant_management_action: "merge", grant_id: "grt_x" }],
    ["an action that isn't known", { grant_management_action: "update", grant_id: "grt_x" }],
    ["an action in another letter case", { grant_management_action: "Create" }],
    ["grant_id without an action", { grant_id: "grt_x" }],
    ["grant_id with create", { grant_management_action: "create", grant_id: "grt_x" }],
    ["replace without grant_id", { grant_management_action: "replace" }],
    ["replace with an empty grant_id", { grant_management_action: "replace", grant_id: "" }],
  ];
  test.each(mistakes)("%s: invalid_request", async (_title, fields) => {
    expectOAuthError(await push(fields), 400, "invalid_request");
  });

  test("responds with invalid_grant_id to an unknown grant, an ended grant and another client's grant", async () => {
    const [foreign, ended] = [await grant({}, other), await grant()];
    await revoke(ended.grantId);
    const answers = await Promise.all(
      ["grt_unknown", foreign.grantId, ended.grantId].map((grant_id) =>
        push({ grant_management_action: "replace", grant_id }),
      ),
    );
    for (const answer of answers) expectOAuthError(answer, 400, "invalid_grant_id");
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test("creates a new grant for each request with the action create or without an action (§5.5)", async () => {
    const codes = [
      await flow.obtainCode(manager, [details()], { fields: { grant_management_action: "create" } }),
      await flow.obtainCode(manager, [details()]),
    ];
    const tokens = await Promise.all(
      codes.map((code) => postAs(manager, "/oauth/token", { form: flow.codeForm(code), dpop: code.dpop })),
    );
    expect(new Set(tokens.map((token) => textOf(token, "grant_id"))).size).toBe(2);
    for (const token of tokens) expect(textOf(token, "grant_id")).toMatch(/^grt_[A-Za-z0-9]{24}$/);
  });

  describe("with replace, authorization_details name the mandate by its identifier", () => {
    let granted: flow.Granted;
    let foreign: flow.Granted;
    beforeAll(async () => {
      [granted, foreign] = [await grant({ time_zone: "Europe/Berlin" }), await grant()];
    });
    const own = () => details({ identifier: granted.mandateId, time_zone: "Europe/Berlin" });
    const rows: [string, string, () => object[]][] = [
      ["no identifier", "authorization_details:", () => [details()]],
      ["an unknown mandate", "[0].identifier", () => [{ ...own(), identifier: "mdt_unknown" }]],
      ["a mandate of another grant", "[0].identifier", () => [{ ...own(), identifier: foreign.mandateId }]],
      ["one mandate given twice", "[1].identifier", () => [own(), own()]],
      ["another currency", "[0].currency", () => [{ ...own(), currency: "USD" }]],
      ["another time zone", "[0].time_zone", () => [{ ...own(), time_zone: "UTC" }]],
      ["another refund policy", "[0].refund_policy", () => [{ ...own(), refund_policy: "restore" }]],
      ["another start", "[0].valid_from", () => [{ ...own(), valid_from: "2026-01-01T00:00:00Z" }]],
      ["the payment instrument, which the payer chooses", "[0]", () => [{ ...own(), payment_instrument: {} }]],
    ];
    test.each(rows)("refuses %s with invalid_authorization_details and names it", async (_title, field, items) => {
      const answer = await push({ ...replacing(granted), authorization_details: JSON.stringify(items()) });
      expectOAuthError(answer, 400, "invalid_authorization_details");
      expect(answer.json?.["error_description"]).toContain(field);
    });

    test("refuses an identifier without replace", async () => {
      const answer = await push({ authorization_details: JSON.stringify([own()]) });
      expectOAuthError(answer, 400, "invalid_authorization_details");
    });

    test("doesn't repeat the values of a refused request", async () => {
      const items = [{ ...own(), identifier: "mdt_<script>" }];
      expectSound(await push({ ...replacing(granted), authorization_details: JSON.stringify(items) }));
    });
  });
});

describe("Grant Management §5.2: replace, approved by the payer of the grant", () => {
  test("keeps grant_id, the mandate's identifier and its used amounts", async () => {
    const granted = await grant({ max_total_amount: 2_000, max_amount_per_payment: 2_000 });
    expect((await chargeIt(granted, { amount: 1_500 })).status).toBe(201);
    expect((await chargeIt(granted, { amount: 1_500 })).status).toBe(403);
    const wider = details({
      max_total_amount: 3_500,
      max_amount_per_payment: 2_000,
      identifier: granted.mandateId,
    });
    const answer = await replace(granted, [wider]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      grant_id: granted.grantId,
      authorization_details: [{ identifier: granted.mandateId, max_total_amount: 3_500 }],
    });
    expect((await chargeIt(granted, { amount: 2_000 })).status).toBe(201);
    expect((await chargeIt(granted, { amount: 1 })).status).toBe(403);
  });

  test("ends the earlier tokens; the new ones work, and the grant contains the new details", async () => {
    const granted = await grant();
    const answer = await replace(granted, [details({ identifier: granted.mandateId, max_total_amount: 1 })]);
    expect(await isActive(granted.accessToken)).toBe(false);
    expect(await isActive(textOf(answer, "access_token"))).toBe(true);
    const refresh = (refresh_token: string) =>
      postAs(manager, "/oauth/token", { form: { grant_type: "refresh_token", refresh_token }, dpop: granted.dpop });
    expectOAuthError(await refresh(granted.refreshToken), 400, "invalid_grant");
    expect((await refresh(textOf(answer, "refresh_token"))).status).toBe(200);
    expect((await query(granted.grantId)).json).toMatchObject({
      authorization_details: [{ max_total_amount: 1 }],
      updated_by: "client",
    });
  });

  test("makes the grant equal to the request: ends mandates that the request omits and adds new ones", async () => {
    const granted = await grant();
    const first = await replace(granted, [details({ identifier: granted.mandateId }), details({ purpose: "Second" })]);
    const ids = (answer: Answer) =>
      ((answer.json?.["authorization_details"] ?? []) as { identifier: string }[]).map(({ identifier }) => identifier);
    const second = ids(first).find((id) => id !== granted.mandateId) ?? "";
    const left = await replace(granted, [details({ identifier: second, purpose: "Second" })]);
    expect(ids(left)).toEqual([second]);
    expect((await chargeIt(granted)).json?.["reasons"]).toMatchObject([{ code: "mandate_revoked" }]);
    expect((await chargeIt({ ...granted, mandateId: second })).status).toBe(201);
  });
});
