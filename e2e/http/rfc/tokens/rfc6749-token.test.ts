import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer } from "../../../support/oauth/oauth-client.ts";
import {
  type Merchant,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
/** The scopes that the merchant registers. There are more scopes for merchants. */
const registeredScopes = "mandates.verify charges.write charges.read";

let agent: Party;
let merchant: Merchant;
let dpop: Signer;
beforeAll(async () => {
  const registering = registerMerchant(sandboxUrl, { metadata: { scope: registeredScopes } });
  [agent, merchant, dpop] = await Promise.all([registerAgent(sandboxUrl), registering, makeKey()]);
});

const requestToken = (fields: Record<string, string | undefined>, party: Party = merchant) =>
  postAs(party, "/oauth/token", { form: fields, dpop });
const credentials = (fields: Record<string, string> = {}) =>
  postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } });
const details = () => [flow.mandateDetails(merchant.merchantId)];

describe("RFC 6749 §5.1: a token response", () => {
  test("for client credentials: JSON, never cached, with scope, without a refresh token (§4.4.3)", async () => {
    const answer = await credentials();
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 600,
      scope: registeredScopes,
    });
  });

  test("for a code: bound, with details and the grant's id, never cached (RFC 9396 §7, RFC 9449 §5)", async () => {
    const pushed = await flow.obtainCode(agent, details());
    const answer = await postAs(agent, "/oauth/token", { form: flow.codeForm(pushed), dpop: pushed.dpop });
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(answer.json).toMatchObject({
      token_type: "DPoP",
      expires_in: 300,
      refresh_token: expect.any(String),
      grant_id: expect.stringMatching(/^grt_/),
      authorization_details: [{ type: "payment_mandate_v1", identifier: expect.stringMatching(/^mdt_/) }],
    });
  });

  test("has no refresh token for a client that didn't register the grant type", async () => {
    const client = await registerAgent(sandboxUrl, { metadata: { grant_types: ["authorization_code"] } });
    const pushed = await flow.obtainCode(client, details());
    const answer = await postAs(client, "/oauth/token", { form: flow.codeForm(pushed), dpop: pushed.dpop });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).not.toHaveProperty("refresh_token");
  });
});

describe("RFC 6749 §5.2: token errors", () => {
  const code = { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: "v".repeat(43) };
  const rows: [string, string, Record<string, string | undefined>][] = [
    ["no grant_type", "invalid_request", {}],
    ["an empty grant_type, which counts as absent (§3.2)", "invalid_request", { grant_type: "" }],
    ["an unknown grant_type", "unsupported_grant_type", { grant_type: "urn:example:unknown" }],
    ["the password grant (RFC 9700 §2.4)", "unsupported_grant_type", { grant_type: "password", username: "a" }],
    ["the implicit grant, which has no token request", "unsupported_grant_type", { grant_type: "implicit" }],
    ["a grant_type in upper case", "unsupported_grant_type", { grant_type: "AUTHORIZATION_CODE" }],
    ["a grant_type that is the name of an object's method", "unsupported_grant_type", { grant_type: "toString" }],
    ["a grant_type that the client didn't register", "unauthorized_client", { grant_type: "client_credentials" }],
    ["no code", "invalid_request", { ...code, code: undefined }],
    ["an empty code, which counts as absent (§3.2)", "invalid_request", { ...code, code: "" }],
    ["no redirect_uri (§4.1.3)", "invalid_request", { ...code, code: "x", redirect_uri: undefined }],
    ["an unknown code", "invalid_grant", { ...code, code: "unknown" }],
    ["no refresh_token", "invalid_request", { grant_type: "refresh_token" }],
    ["an unknown refresh_token", "invalid_grant", { grant_type: "refresh_token", refresh_token: "unknown" }],
  ];
  test.each(rows)("%s: %s", async (_name, error, fields) => {
    expectOAuthError(await requestToken(fields, agent), 400, error);
  });

  test("responds with unauthorized_client to codes and refresh tokens of a merchant client (docs/spec/oauth.md, Clients, scopes and resources)", async () => {
    for (const fields of [
      { ...code, code: "x" },
      { grant_type: "refresh_token", refresh_token: "x" },
    ]) {
      expectOAuthError(await requestToken(fields), 400, "unauthorized_client");
    }
  });

  test("are never cached (§5.1) and have exactly the two required members", async () => {
    const answer = await requestToken({ grant_type: "password" }, agent);
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    expect(Object.keys(answer.json ?? {})).toEqual(["error", "error_description"]);
  });

  test.each([
    "grant_type",
    "scope",
    "resource",
    "code",
    "redirect_uri",
    "refresh_token",
    "client_id",
    "client_assertion",
  ])(
    "describes an invalid %s with only the characters that §5.2 allows, and repeats nothing from the request (docs/spec/oauth.md, Forms and query parameters)",
    async (name) => {
      const sent = 'x"\\\u007fzzyzx\r\nä';
      for (const grant_type of ["authorization_code", "refresh_token"]) {
        const answer = await requestToken({ ...code, grant_type, code: "x", refresh_token: "x", [name]: sent }, agent);
        expectOAuthError(answer, answer.status === 401 ? 401 : 400);
        expect(answer.text).not.toMatch(/zzyzx/);
      }
    },
  );
});

describe("RFC 6749 §3.3: scope", () => {
  const rows: [string, string][] = [
    ["unknown", "everything"],
    ["of agents", "grant_management_query"],
    ["known but not registered", "refunds.write"],
    ["in capitals", "CHARGES.READ"],
    ["one known, one not", "charges.read everything"],
    ["two spaces in between", "charges.read  charges.write"],
    ["a leading space", " charges.read"],
    ["a quote", 'charges.read"'],
    ["a backslash", "charges\\read"],
    ["a tab in between", "charges.read\tcharges.write"],
    ["beyond ASCII", "charges.reäd"],
  ];
  test.each(rows)("%s: invalid_scope", async (_name, scope) => {
    expectOAuthError(await credentials({ scope }), 400, "invalid_scope");
  });

  test("ignores order and repetition, and returns the requested scope with each value once", async () => {
    const scopesOf = async (scope: string) =>
      textOf(await credentials({ scope }), "scope")
        .split(" ")
        .sort();
    expect(await scopesOf("charges.write charges.read")).toEqual(["charges.read", "charges.write"]);
    expect(await scopesOf("charges.read charges.write")).toEqual(["charges.read", "charges.write"]);
    expect(await scopesOf("charges.read charges.read")).toEqual(["charges.read"]);
  });
});
