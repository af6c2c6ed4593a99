import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { formType, postForm, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { mandateDetails, pushFields } from "../../../support/oauth/mandate-flow.ts";
import { assertionType, signAssertion } from "../../../support/oauth/oauth-client.ts";
import {
  type Merchant,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

const details = () => [mandateDetails(merchant.merchantId)];
const push = (fields: Record<string, string | undefined> = {}) =>
  postAs(agent, "/oauth/par", { form: pushFields(details(), fields).form });

describe("RFC 9126 §2.2: a valid request", () => {
  test("gets 201 with request_uri and expires_in, never cached", async () => {
    const answer = await push();
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43,}$/),
      expires_in: 300,
    });
  });

  test("sent twice, gets two different request_uris that can't be guessed (§7.1)", async () => {
    const { form } = pushFields(details());
    const answers = await Promise.all(Array.from({ length: 20 }, () => postAs(agent, "/oauth/par", { form })));
    const secrets = answers.map((answer) => textOf(answer, "request_uri").split(":").at(-1) ?? "");
    expect(new Set(secrets.map((secret) => secret.slice(0, 8))).size).toBe(20);
  });

  const taken: [string, Record<string, string | undefined>][] = [
    ["without state", { state: undefined }],
    ["with a state of 4,096 characters", { state: "s".repeat(4096) }],
    ["with response_mode query", { response_mode: "query" }],
    ["with prompt consent", { prompt: "consent" }],
    ["with max_age 0 (RFC 9470 §4)", { max_age: "0" }],
    ["with its own client_id", { client_id: "own" }],
    ["with grant_management_action create", { grant_management_action: "create" }],
    ["with its own scopes", { scope: "grant_management_query" }],
    ["with unknown parameters", { nonce: "n", ui_locales: "de", login_hint: "a@b.example" }],
    [
      "with empty parameters, which count as absent",
      { scope: "", resource: "", prompt: "", request: "", request_uri: "" },
    ],
  ];
  test.each(taken)("accepts %s", async (_name, fields) => {
    const answer = await push(fields["client_id"] ? { client_id: agent.id } : fields);
    expect(answer.status, answer.text).toBe(201);
  });
});

describe("RFC 9126 §2.1, §2.3: refuses a request that can't succeed (docs/spec/oauth.md, Pushed authorization requests)", () => {
  const rows: [string, string, Record<string, string | undefined>][] = [
    ["request_uri in the body (§2.1)", "invalid_request", { request_uri: "urn:x" }],
    ["a request object (RFC 9101 §6)", "request_not_supported", { request: "e30.e30." }],
    ["no redirect_uri", "invalid_request", { redirect_uri: undefined }],
    ["an empty redirect_uri, which counts as absent (RFC 6749 §3.1)", "invalid_request", { redirect_uri: "" }],
    ["no response_type", "invalid_request", { response_type: undefined }],
    ["response_type token", "unsupported_response_type", { response_type: "token" }],
    ["response_type code id_token", "unsupported_response_type", { response_type: "code id_token" }],
    ["response_type none", "unsupported_response_type", { response_type: "none" }],
    ["response_type CODE", "unsupported_response_type", { response_type: "CODE" }],
    ["response_mode fragment", "invalid_request", { response_mode: "fragment" }],
    ["response_mode form_post", "invalid_request", { response_mode: "form_post" }],
    ["response_mode query.jwt", "invalid_request", { response_mode: "query.jwt" }],
    ["prompt none", "invalid_request", { prompt: "none" }],
    ["prompt none together with login", "invalid_request", { prompt: "login none" }],
    ["a state of 4,097 characters", "invalid_request", { state: "s".repeat(4097) }],
    ["a max_age that isn't a number", "invalid_request", { max_age: "-1" }],
    ["a malformed dpop_jkt (RFC 9449 §10)", "invalid_request", { dpop_jkt: "short" }],
    ["a dpop_jkt that isn't a thumbprint", "invalid_request", { dpop_jkt: `${"A".repeat(42)}B` }],
    ["another client_id", "invalid_client", { client_id: "cl_test_other" }],
    ["grant_management_action merge", "invalid_request", { grant_management_action: "merge" }],
    ["an unknown scope", "invalid_scope", { scope: "everything" }],
    ["a merchant's scope", "invalid_scope", { scope: "charges.write" }],
    ["a malformed scope", "invalid_scope", { scope: "a  b" }],
    ["no authorization_details", "invalid_request", { authorization_details: undefined }],
    ["an empty list of details", "invalid_request", { authorization_details: "[]" }],
  ];
  test.each(rows)("%s: %s", async (_name, code, fields) => {
    expectOAuthError(await push(fields), code === "invalid_client" ? 401 : 400, code);
  });

  test("responds with invalid_scope to a scope that the client didn't register", async () => {
    const client = await registerAgent(sandboxUrl, { metadata: { scope: "grant_management_query" } });
    const { form } = pushFields(details(), { scope: "grant_management_revoke" });
    expectOAuthError(await postAs(client, "/oauth/par", { form }), 400, "invalid_scope");
  });

  test("responds with unauthorized_client to a merchant client, and to an agent without authorization_code (docs/spec/oauth.md, Clients, scopes and resources)", async () => {
    expectOAuthError(
      await postAs(merchant, "/oauth/par", { form: pushFields(details()).form }),
      400,
      "unauthorized_client",
    );
    const metadata = { grant_types: ["client_credentials"], redirect_uris: undefined, scope: "grant_management_query" };
    const bot = await registerAgent(sandboxUrl, { metadata });
    expectOAuthError(await postAs(bot, "/oauth/par", { form: pushFields(details()).form }), 400, "unauthorized_client");
  });

  test.each(["redirect_uri", "state", "code_challenge", "authorization_details", "scope"])(
    "%s twice: invalid_request",
    async (name) => {
      const { form } = pushFields(details());
      const own = {
        client_assertion_type: assertionType,
        client_assertion: await signAssertion(agent, sandboxUrl),
        ...form,
      };
      const sent = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const value = form[name as keyof typeof form] ?? "x";
      const others = sent.filter(([sentName]) => sentName !== name);
      const body = new URLSearchParams([...others, [name, value], [name, value]]).toString();
      const init = { method: "POST", headers: { "content-type": formType }, body };
      expectOAuthError(await send(`${sandboxUrl}/oauth/par`, init), 400, "invalid_request");
    },
  );

  test("ignores credentials in the query (docs/spec/oauth.md, Forms and query parameters)", async () => {
    const query = new URLSearchParams({ client_id: agent.id, client_assertion: "e30.e30.e30" });
    const answer = await postForm(`${sandboxUrl}/oauth/par?${query}`, pushFields(details()).form);
    expectOAuthError(answer, 401, "invalid_client");
  });

  test("a refused request gets no request_uri, is never shown to a payer, and causes no redirect (§2.3)", async () => {
    const answer = await push({ response_type: "token", redirect_uri: redirectUri });
    expect(answer.json).not.toHaveProperty("request_uri");
    expect(answer.headers.get("location")).toBeNull();
  });
});
