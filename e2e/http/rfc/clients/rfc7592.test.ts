import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../../../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance, isBehindProxy, query } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey } from "../../../support/oauth/oauth-client.ts";
import {
  clientToken,
  makeInitialAccessToken,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";
import { type KeyServer, startKeyServer } from "../../../support/peers/key-server.ts";

const { sandboxUrl, productionUrl } = currentInstance();
let keyServer: KeyServer;
beforeAll(async () => {
  keyServer = await startKeyServer();
});
afterAll(() => keyServer.close());

/** The client's configuration endpoint and token (RFC 7592 §3). */
const configurationOf = ({ registration }: Party) => ({
  url: String(registration["registration_client_uri"]),
  token: String(registration["registration_access_token"]),
});

type RequestOptions = { token?: string; url?: string; body?: unknown };

const sendRequest = (method: string, party: Party, { token, url, body }: RequestOptions = {}): Promise<Answer> => {
  const own = configurationOf(party);
  return send(url ?? own.url, {
    method,
    headers: { authorization: `Bearer ${token ?? own.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
};

const read = (party: Party, options?: RequestOptions) => sendRequest("GET", party, options);
const remove = (party: Party, options?: RequestOptions) => sendRequest("DELETE", party, options);
/** Sends the registered metadata with other `members`; the value `undefined` removes a member. */
const replace = (party: Party, members: object, options: RequestOptions = {}) =>
  sendRequest("PUT", party, { ...options, body: { ...party.registration, ...members } });

const bare = (party: Party) => ({ redirect_uris: [redirectUri], jwks: { keys: [party.publicJwk] } });
const refuses = async (answer: Answer | Promise<Answer>, member: string, code = "invalid_client_metadata") => {
  expectOAuthError(await answer, 400, code);
  expect((await answer).json?.["error_description"]).toMatch(new RegExp(`^${member}:`));
};

describe("RFC 7592 §2.1: a client reads what is registered", () => {
  test("gets all metadata as at registration, with the same registration access token, never cached", async () => {
    const agent = await registerAgent(sandboxUrl, {
      metadata: { "client_name#de": "Einkaufshelfer", contacts: ["a@b.example"] },
    });
    const answer = await read(agent);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.json).toEqual(agent.registration);
  });

  test("gets the id of its merchant, if it is a merchant client", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    expect((await read(merchant)).json).toMatchObject({ merchant_id: merchant.merchantId });
  });

  test("changes nothing by reading, even repeatedly (RFC 9110 §9.2.1)", async () => {
    const agent = await registerAgent(sandboxUrl);
    for (let time = 0; time < 3; time += 1) expect((await read(agent)).json).toEqual(agent.registration);
  });
});

describe("RFC 7592 §2: accepts only the client's own registration access token, as Bearer (RFC 6750 §2.1)", () => {
  let agent: Party;
  let other: Party;
  beforeAll(async () => {
    [agent, other] = await Promise.all([registerAgent(sandboxUrl), registerAgent(sandboxUrl)]);
  });
  const methods = ["GET", "PUT", "DELETE"];
  const bodyOf = (method: string) => (method === "PUT" ? { body: bare(agent) } : {});

  test.each(methods)("responds with 401 to %s with another client's token", async (method) => {
    const answer = await sendRequest(method, agent, { token: configurationOf(other).token, ...bodyOf(method) });
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
  });

  test.each(methods)("responds with 401 to %s of an unknown client, whatever the token is (§2.1)", async (method) => {
    for (const id of ["cl_test_unknown", "x", "a%20b", ...(isBehindProxy ? [] : ["%00"])]) {
      const url = `${sandboxUrl}/oauth/register/${id}`;
      expectOAuthError(await sendRequest(method, agent, { url, ...bodyOf(method) }), 401, "invalid_token");
    }
  });

  test.each(methods)("responds with 401 to %s without a token or with an invalid one", async (method) => {
    const { url, token } = configurationOf(agent);
    const headers = { "content-type": "application/json" };
    const body = method === "PUT" ? { body: JSON.stringify(bare(agent)) } : {};
    const none = await send(url, { method, headers, ...body });
    expectOAuthError(none, 401, "invalid_token");
    expect(none.headers.get("www-authenticate")).toBe("Bearer");
    for (const authorization of ["Bearer", "Bearer x", `Basic ${token}`, `DPoP ${token}`, token, `Bearer ${token}x`]) {
      expectOAuthError(
        await send(url, { method, headers: { ...headers, authorization }, ...body }),
        401,
        "invalid_token",
      );
    }
  });

  test("refuses an access token and an initial access token", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    expectOAuthError(await read(merchant, { token: await clientToken(merchant) }), 401, "invalid_token");
    const { token } = await makeInitialAccessToken("sandbox", "agent");
    expectOAuthError(await read(agent, { token }), 401, "invalid_token");
  });

  test("refuses a token in the query (RFC 6750 §2.3)", async () => {
    const { url, token } = configurationOf(agent);
    expectOAuthError(await send(`${url}?access_token=${token}`), 400, "invalid_request");
  });

  test("refuses the token in the other environment", async () => {
    const url = `${productionUrl}/oauth/register/${agent.id}`;
    expectOAuthError(await read(agent, { url }), 401, "invalid_token");
  });

  test("the refused requests left the client unchanged", async () => {
    expect((await read(agent)).json).toEqual(agent.registration);
  });

  test("stores the token only as a hash (RFC 7592 §5)", async () => {
    const { rows } = await query((client) =>
      client.query("SELECT client::text AS row FROM client WHERE id = $1", [agent.id]),
    );
    const { token } = configurationOf(agent);
    expect(rows[0].row).not.toContain(token);
    expect(rows[0].row).toContain(createHash("sha256").update(token).digest("base64url"));
  });
});

describe("RFC 7592 §2.2: the request replaces all registered metadata", () => {
  test("accepts the metadata that was read, unchanged", async () => {
    const agent = await registerAgent(sandboxUrl, { metadata: { client_uri: "https://bot.example" } });
    const answer = await replace(agent, {});
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toEqual({ ...agent.registration, registration_access_token: expect.any(String) });
    expect((await read(agent, { token: textOf(answer, "registration_access_token") })).json).toEqual(answer.json);
  });

  test("resets a member that is absent or null to its default", async () => {
    const agent = await registerAgent(sandboxUrl, {
      metadata: {
        client_uri: "https://bot.example",
        "client_name#de": "Helfer",
        contacts: ["a@b.example"],
        scope: "grant_management_query",
        token_endpoint_auth_signing_alg: "ES256",
      },
    });
    const answer = await sendRequest("PUT", agent, { body: { ...bare(agent), client_name: null } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual({
      client_id: agent.id,
      client_id_issued_at: agent.registration["client_id_issued_at"],
      registration_client_uri: agent.registration["registration_client_uri"],
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "private_key_jwt",
      scope: "grant_management_query grant_management_revoke",
      jwks: { keys: [agent.publicJwk] },
      dpop_bound_access_tokens: true,
      authorization_details_types: ["payment_mandate_v1"],
    });
  });

  test.each(["client_id", "client_id_issued_at", "registration_client_uri", "registration_access_token"])(
    "requires that %s, which the server set, is unchanged or absent",
    async (member) => {
      const agent = await registerAgent(sandboxUrl);
      expect((await replace(agent, { [member]: undefined })).status).toBe(200);
      for (const other of ["another", 1, {}]) await refuses(replace(agent, { [member]: other }), member);
    },
  );

  test("requires that a merchant's id is unchanged or absent, since a client's owner never changes", async () => {
    const [merchant, another] = await Promise.all([registerMerchant(sandboxUrl), registerMerchant(sandboxUrl)]);
    await refuses(replace(merchant, { merchant_id: another.merchantId }), "merchant_id");
    const answer = await replace(merchant, { merchant_id: undefined });
    expect(answer.json).toMatchObject({ merchant_id: merchant.merchantId });
  });

  test.each<[string, object, string?]>([
    ["client_secret", { client_secret: "mine" }],
    ["client_secret_expires_at", { client_secret_expires_at: 0 }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "client_secret_basic" }],
    ["grant_types", { grant_types: ["implicit"] }],
    ["client_name", { client_name: "Bank\u202eknab" }],
    ["jwks", { jwks: { keys: [] } }],
    ["jwks", { jwks: undefined }],
    ["jwks_uri", { jwks_uri: "https://bot.example/jwks" }],
    ["scope", { scope: "charges.write" }],
    ["dpop_bound_access_tokens", { dpop_bound_access_tokens: false }],
    ["redirect_uris", { redirect_uris: ["http://bot.example"] }, "invalid_redirect_uri"],
    ["redirect_uris", { redirect_uris: undefined }, "invalid_redirect_uri"],
  ])("names an invalid %s and changes nothing: %j", async (member, members, code) => {
    const agent = await registerAgent(sandboxUrl);
    await refuses(replace(agent, members), member, code);
    expect((await read(agent)).json).toEqual(agent.registration);
  });

  test.each(["[]", "null", '"x"', "{", ""])("refuses %j as metadata", async (body) => {
    const agent = await registerAgent(sandboxUrl);
    const { url, token } = configurationOf(agent);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    expectOAuthError(await send(url, { method: "PUT", headers, body }), 400);
    expect((await read(agent)).json).toEqual(agent.registration);
  });

  test("never resets dpop_bound_access_tokens to false, whether the request sends false or omits the member", async () => {
    const agent = await registerAgent(sandboxUrl, { metadata: { dpop_bound_access_tokens: false } });
    const bound = await replace(agent, { dpop_bound_access_tokens: true });
    expect(bound.json).toMatchObject({ dpop_bound_access_tokens: true });
    const now = { ...agent, registration: bound.json ?? {} };
    await refuses(replace(now, { dpop_bound_access_tokens: false }), "dpop_bound_access_tokens");
    const asClient = { grant_types: ["client_credentials"], redirect_uris: undefined, response_types: undefined };
    const left = await replace(now, {
      ...asClient,
      dpop_bound_access_tokens: undefined,
      authorization_details_types: undefined,
    });
    expect(left.json).toMatchObject({ dpop_bound_access_tokens: true, grant_types: ["client_credentials"] });
  });
});

describe("PUT can't exceed the limits of the initial access token (docs/spec/oauth.md, Client registration)", () => {
  const registered = async (kind: "agent" | "merchant") => {
    const { token } = await makeInitialAccessToken("production", kind);
    const options = { headers: { authorization: `Bearer ${token}` } };
    return kind === "agent" ? registerAgent(productionUrl, options) : registerMerchant(productionUrl, options);
  };

  test("refuses other scopes, even after the token was used up", async () => {
    const agent = await registered("agent");
    expect(agent.registration["scope"]).toBe("grant_management_query");
    await refuses(replace(agent, { scope: "grant_management_query grant_management_revoke" }), "scope");
    expect((await replace(agent, { scope: undefined })).json).toMatchObject({ scope: "grant_management_query" });
  });

  test("accepts a smaller scope, and the full one again later", async () => {
    const merchant = await registered("merchant");
    const scope = String(merchant.registration["scope"]);
    const less = await replace(merchant, { scope: "charges.read" });
    expect(less.json).toMatchObject({ scope: "charges.read" });
    const again = await replace({ ...merchant, registration: less.json ?? {} }, { scope });
    expect(again.json).toMatchObject({ scope });
  });

  test("refuses to change a merchant client into an agent, and the reverse", async () => {
    const merchant = await registered("merchant");
    const asAgent = { grant_types: ["authorization_code"], redirect_uris: [redirectUri], scope: undefined };
    await refuses(replace(merchant, { ...asAgent, response_types: undefined }), "grant_types");
    const agent = await registered("agent");
    const asMerchant = { grant_types: ["client_credentials"], redirect_uris: undefined, response_types: undefined };
    await refuses(replace(agent, { ...asMerchant, scope: "charges.write" }), "scope");
  });

  test("refuses dpop_bound_access_tokens false for an agent in production", async () => {
    const agent = await registered("agent");
    await refuses(replace(agent, { dpop_bound_access_tokens: false }), "dpop_bound_access_tokens");
  });
});

describe("PUT rotates the registration access token (RFC 7592 §2.2, §3, §5)", () => {
  test("accepts the previous token only until the new one is first used, so that a lost response locks out no client", async () => {
    const agent = await registerAgent(sandboxUrl);
    const former = configurationOf(agent).token;
    const lost = textOf(await replace(agent, {}), "registration_access_token");
    expect(lost).not.toBe(former);
    // The response was lost: the client sends the same request again, with the token that it still has.
    const arrived = textOf(await replace(agent, {}), "registration_access_token");
    expect(arrived).toBe(lost);
    expect((await read(agent, { token: former })).status).toBe(200);
    expect((await read(agent, { token: arrived })).status).toBe(200);
    expectOAuthError(await read(agent, { token: former }), 401, "invalid_token");
    expectOAuthError(await replace(agent, {}, { token: former }), 401, "invalid_token");
    expectOAuthError(await remove(agent, { token: former }), 401, "invalid_token");
    expect((await read(agent, { token: arrived })).status).toBe(200);
  });
});

describe("a change takes effect at the next request, in every process (docs/spec/oauth.md, Access tokens)", () => {
  const times = Array.from({ length: 6 });
  const tokenBy = (party: Party) => postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" } });

  test("keys: accepts the new key and refuses the old one", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    for (const _ of times) expect((await tokenBy(merchant)).status).toBe(200);
    const next = await makeKey();
    expect((await replace(merchant, { jwks: { keys: [next.publicJwk] } })).status).toBe(200);
    for (const _ of times) {
      expectOAuthError(await tokenBy(merchant), 401, "invalid_client");
      expect((await tokenBy({ ...merchant, ...next })).status).toBe(200);
    }
  });

  test("keys: from jwks to jwks_uri, and back", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    const next = await makeKey();
    keyServer.serveKeys([next.publicJwk]);
    const loaded = await replace(merchant, { jwks: undefined, jwks_uri: keyServer.url });
    expect(loaded.json).toMatchObject({ jwks_uri: keyServer.url });
    for (const _ of times) {
      expectOAuthError(await tokenBy(merchant), 401, "invalid_client");
      expect((await tokenBy({ ...merchant, ...next })).status).toBe(200);
    }
    const now = { ...merchant, registration: loaded.json ?? {} };
    const back = await replace(now, { jwks: { keys: [merchant.publicJwk] }, jwks_uri: undefined });
    expect(back.json).not.toHaveProperty("jwks_uri");
    for (const _ of times) {
      expect((await tokenBy(merchant)).status).toBe(200);
      expectOAuthError(await tokenBy({ ...merchant, ...next }), 401, "invalid_client");
    }
  });

  test("scopes: no token keeps a scope that was removed", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    const merchantToken = await clientToken(merchant);
    expect((await flow.merchantGet({ merchant, merchantToken }, "/merchant_test/charges")).status).toBe(200);
    expect(
      (
        await replace(merchant, {
          scope: "mandates.verify charges.write charges.read refunds.write",
          client_name: "Other",
        })
      ).status,
    ).toBe(200);
    // Changing the name removes nothing and ends no token.
    expect((await flow.merchantGet({ merchant, merchantToken }, "/merchant_test/charges")).status).toBe(200);
    expect((await replace(merchant, { scope: "mandates.verify" })).status).toBe(200);
    for (const _ of times) {
      const answer = await flow.merchantGet({ merchant, merchantToken }, "/merchant_test/charges");
      expectProblem(answer, 401, "invalid_token");
      expectOAuthError(
        await postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", scope: "charges.read" } }),
        400,
        "invalid_scope",
      );
    }
  });

  test("grant_types: refuses client_credentials after its removal, and accepts it after it was added again", async () => {
    const agent = await registerAgent(sandboxUrl, {
      metadata: { grant_types: ["authorization_code", "client_credentials"], dpop_bound_access_tokens: false },
    });
    for (const _ of times) expect((await tokenBy(agent)).status).toBe(200);
    for (const grant_types of [["authorization_code"], ["authorization_code", "client_credentials"]]) {
      expect((await replace(agent, { grant_types })).status).toBe(200);
      const isGranted = grant_types.includes("client_credentials");
      for (const _ of times) {
        const answer = await tokenBy(agent);
        if (isGranted) expect(answer.status, answer.text).toBe(200);
        else expectOAuthError(answer, 400, "unauthorized_client");
      }
    }
  });

  test("grant_types: removing refresh_token ends earlier refresh tokens, and introspection reports it (RFC 7662 §2.2)", async () => {
    const { agent, refreshToken, dpop } = await flow.makeChargeableMandate(sandboxUrl);
    const introspect = async () => (await postAs(agent, "/oauth/introspect", { form: { token: refreshToken } })).json;
    expect(await introspect()).toMatchObject({ active: true });
    expect((await replace(agent, { grant_types: ["authorization_code"] })).status).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: refreshToken };
    expectOAuthError(await postAs(agent, "/oauth/token", { form: refresh, dpop }), 400, "unauthorized_client");
    expect(await introspect()).toEqual({ active: false });
  });

  test("an agent's scopes: no earlier code or refresh token restores a removed scope", async () => {
    const both = { scope: "grant_management_query grant_management_revoke" };
    const { agent, merchant, refreshToken, dpop } = await flow.makeChargeableMandate(sandboxUrl, {}, both);
    const pushed = await flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)], { dpop, fields: both });
    expect((await replace(agent, { scope: "grant_management_query" })).status).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: refreshToken };
    for (const form of [flow.codeForm(pushed), refresh]) {
      const answer = await postAs(agent, "/oauth/token", { form, dpop });
      expect(answer.json, answer.text).toMatchObject({ scope: "grant_management_query" });
    }
    const none = await flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)], {
      dpop,
      fields: {
        scope: "grant_management_query",
      },
    });
    expect((await replace(agent, { scope: "grant_management_revoke" })).status).toBe(200);
    expect((await postAs(agent, "/oauth/token", { form: flow.codeForm(none), dpop })).json).toMatchObject({
      scope: "",
    });
    expect((await replace(agent, { scope: "grant_management_query" })).status).toBe(200);
    // Introspection doesn't report it either (RFC 7662 §2.2).
    const introspected = (await postAs(agent, "/oauth/introspect", { form: { token: refreshToken } })).json;
    expect(introspected).toMatchObject({ active: true, scope: "grant_management_query" });
    const fields = { ...refresh, scope: "grant_management_revoke" };
    expectOAuthError(await postAs(agent, "/oauth/token", { form: fields, dpop }), 400, "invalid_scope");
  });

  test("redirect_uris: an open request no longer redirects to a URI that was removed", async () => {
    const [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
    const obtain = () => flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)]);
    expect((await obtain()).code).toMatch(/\w/);
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form }), "request_uri");
    expect((await replace(agent, { redirect_uris: ["https://bot.example/other"] })).status).toBe(200);
    await expect(obtain()).rejects.toThrow(/400 .*invalid_request/);
    const query = new URLSearchParams({ client_id: agent.id, request_uri: requestUri });
    const opened = await send(`${sandboxUrl}/oauth/authorize?${query}`);
    const page = opened.headers.get("location");
    expect(page === null ? opened.text : (await send(page, { headers: { accept: "text/html" } })).text).not.toContain(
      "approve",
    );
  });
});

describe("RFC 7592 §2.3: DELETE responds with 204 and deletes everything that belongs to the client", () => {
  test("the response has no body; afterwards the client, its token and a second DELETE get 401", async () => {
    const agent = await registerAgent(sandboxUrl);
    const answer = await remove(agent);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    for (const _ of Array.from({ length: 4 })) {
      expectOAuthError(await read(agent), 401, "invalid_token");
      expectOAuthError(await remove(agent), 401, "invalid_token");
      expectOAuthError(await replace(agent, {}), 401, "invalid_token");
      expectOAuthError(
        await postAs(agent, "/oauth/token", { form: { grant_type: "client_credentials" } }),
        401,
        "invalid_client",
      );
    }
  });

  test("immediately ends an agent's mandates, grants, tokens and codes on every node", async () => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl);
    const { agent, merchant, merchantToken, dpop, mandateId } = mandate;
    const pending = await flow.obtainCode(agent, [flow.mandateDetails(merchant.merchantId)]);
    expect((await flow.charge(mandate)).status).toBe(201);
    expect((await flow.agentGet(mandate, `/oauth/mandates/${mandateId}/charges`)).status).toBe(200);
    expect((await remove(agent)).status).toBe(204);
    for (const _ of Array.from({ length: 4 })) {
      expectOAuthError(await flow.agentGet(mandate, `/oauth/mandates/${mandateId}/charges`), 401, "invalid_token");
      const charged = await flow.charge(mandate);
      expectProblem(charged, 403, "refused_by_mandate");
      expect(charged.text).toContain("mandate_revoked");
    }
    const refresh = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
    expectOAuthError(await postAs(agent, "/oauth/token", { form: refresh, dpop }), 401, "invalid_client");
    expectOAuthError(
      await postAs(agent, "/oauth/token", { form: flow.codeForm(pending), dpop: pending.dpop }),
      401,
      "invalid_client",
    );
    // Earlier charges remain with the merchant.
    expect((await flow.merchantGet({ merchant, merchantToken }, "/merchant_test/charges")).text).toContain(mandateId);
  });

  test("ends the tokens of a merchant client and keeps the merchant for its other clients", async () => {
    const { token } = await makeInitialAccessToken("production", "merchant");
    const options = { headers: { authorization: `Bearer ${token}` } };
    const [first, second] = [
      await registerMerchant(productionUrl, options),
      await registerMerchant(productionUrl, options),
    ];
    const tokens = { first: await clientToken(first), second: await clientToken(second) };
    expect((await remove(first)).status).toBe(204);
    const list = (merchant: typeof first, merchantToken: string) =>
      flow.merchantGet({ merchant, merchantToken }, "/merchant_test/charges");
    for (const _ of Array.from({ length: 4 })) {
      expectProblem(await list(first, tokens.first), 401, "invalid_token");
      expect((await list(second, tokens.second)).status).toBe(200);
    }
    expect((await postAs(second, "/oauth/introspect", { form: { token: tokens.first } })).text).toBe(
      '{"active":false}',
    );
  });

  test("a payer who has an open request is informed that the client was deleted", async () => {
    const [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form }), "request_uri");
    expect((await remove(agent)).status).toBe(204);
    const query = new URLSearchParams({ client_id: agent.id, request_uri: requestUri });
    const answer = await send(`${sandboxUrl}/oauth/authorize?${query}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });
});

describe("the audit log (docs/spec/operations.md, Audit log)", () => {
  test("records registration, change, token rotation, refusal and deletion, once each", async () => {
    const agent = await registerAgent(sandboxUrl);
    const next = textOf(await replace(agent, { client_name: "Renamed" }), "registration_access_token");
    await read(agent, { token: next });
    const refused = (await read(agent, { token: "x" })).headers.get("x-request-id");
    await remove(agent, { token: next });
    const text = "SELECT action, data FROM audit_entry WHERE subject_id = $1 OR request_id = $2 ORDER BY at, action";
    const { rows } = await query((client) => client.query(text, [agent.id, refused]));
    expect(rows.map(({ action }) => action)).toEqual([
      "client.registered",
      "client.updated",
      "registration_token.ended",
      "registration.refused",
      "client.deleted",
    ]);
    expect(rows[1].data).toEqual({ members: ["client_name"], ends_tokens: false });
    expect(JSON.stringify(rows)).not.toContain(next);
  });
});
