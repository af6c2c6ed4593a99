import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postJson, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { makeSoftwareStatement } from "../../../support/oauth/directory.ts";
import { makeKey, type Signer } from "../../../support/oauth/oauth-client.ts";
import { makeInitialAccessToken } from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();
let key: Signer;
beforeAll(async () => {
  key = await makeKey();
});

const register = (metadata: object, headers: Record<string, string> = {}, baseUrl = sandboxUrl) =>
  postJson(
    `${baseUrl}/oauth/register`,
    { redirect_uris: ["https://bot.example/cb"], jwks: { keys: [key.publicJwk] }, ...metadata },
    headers,
  );
const merchantOnly = { redirect_uris: undefined, grant_types: ["client_credentials"] };

describe("RFC 7591 §3.2.1: the response contains all registered metadata", () => {
  test("of an agent, including defaults, with Cache-Control: no-store", async () => {
    const answer = await register({ client_name: "Grocer Bot", unknown_member: 1, client_uri: "https://bot.example" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const clientId = textOf(answer, "client_id");
    expect(answer.json).toEqual({
      client_id: expect.stringMatching(/^cl_test_/),
      client_id_issued_at: expect.any(Number),
      registration_client_uri: `${sandboxUrl}/oauth/register/${clientId}`,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      client_name: "Grocer Bot",
      client_uri: "https://bot.example",
      redirect_uris: ["https://bot.example/cb"],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "private_key_jwt",
      scope: "grant_management_query grant_management_revoke",
      dpop_bound_access_tokens: true,
      authorization_details_types: ["payment_mandate_v1"],
      jwks: { keys: [key.publicJwk] },
    });
  });

  test("creates a test merchant for a merchant client in the sandbox (docs/spec/oauth.md, Client registration)", async () => {
    const answer = await register({ ...merchantOnly, scope: "charges.write" });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      merchant_id: expect.stringMatching(/^mch_/),
      scope: "charges.write",
      response_types: [],
      dpop_bound_access_tokens: false,
    });
    expect(answer.json).not.toHaveProperty("redirect_uris");
    // Without grant types, a merchant client gets the one that it can use.
    const again = await register({ ...merchantOnly, grant_types: undefined, scope: "charges.write" });
    expect(again.json?.["grant_types"]).toEqual(["client_credentials"]);
    expect(again.json?.["merchant_id"]).not.toBe(answer.json?.["merchant_id"]);
  });

  test("returns every supported member as it was sent (§2)", async () => {
    const said = {
      client_name: "Grocer Bot",
      logo_uri: "https://bot.example/logo.svg",
      policy_uri: "https://bot.example/privacy",
      tos_uri: "https://bot.example/terms",
      contacts: ["ops@bot.example"],
      software_id: "b8f6",
      software_version: "1.4",
      token_endpoint_auth_signing_alg: "ES256",
      introspection_signed_response_alg: "ES256",
      authorization_details_types: ["payment_mandate_v1"],
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      scope: "grant_management_query",
    };
    expect((await register(said)).json).toMatchObject(said);
  });

  test("returns only the public members of a key (RFC 7517 §4)", async () => {
    const keys = [{ ...key.publicJwk, x5c: ["MII"], note: "mine" }];
    expect((await register({ jwks: { keys } })).json).toMatchObject({ jwks: { keys: [key.publicJwk] } });
    expect((await register({ jwks: { keys } })).text).not.toContain("mine");
  });

  test("accepts dpop_bound_access_tokens false in the sandbox (docs/spec/oauth.md, Access tokens)", async () => {
    expect((await register({ dpop_bound_access_tokens: false })).json).toMatchObject({
      dpop_bound_access_tokens: false,
    });
  });

  test("treats a member that is null as absent", async () => {
    const answer = await register({ client_name: null, scope: null, jwks_uri: null, client_id: null });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).not.toHaveProperty("client_name");
  });

  test.each(["n", "🛒"])("accepts 20 redirect_uris and a name of 200 characters: %s", async (character) => {
    const redirect_uris = Array.from({ length: 20 }, (_, index) => `https://bot.example/${index}`);
    const client_name = character.repeat(200);
    expect((await register({ redirect_uris, client_name })).json).toMatchObject({ redirect_uris, client_name });
  });
});

describe("RFC 7591 §2.2: human-readable members can have several languages", () => {
  test("returns each with its language tag, and the member without a tag", async () => {
    const said = {
      client_name: "Grocer Bot",
      "client_name#de": "Einkaufshelfer",
      "client_name#ja-Hani-JP": "買い物",
      "client_name#fa": "پرداخت\u200cیار",
      "tos_uri#fr": "https://bot.example/conditions",
    };
    expect((await register(said)).json).toMatchObject(said);
  });

  test.each([
    ["client_name#de", { "client_name#de": "n".repeat(201) }],
    ["client_name#de", { "client_name#de": "Bank\u202eknab" }],
    ["client_name#de", { "client_name#de": 1 }],
    ["logo_uri#fr", { "logo_uri#fr": "http://bot.example/logo" }],
    ["client_name", { "client_name#": "x" }],
    ["client_name", { "client_name#d e": "x" }],
    ["client_name", { "client_name#de#at": "x" }],
    ["client_name", { 'client_name#"': "x" }],
    ["client_name#DE", { "client_name#de": "x", "client_name#DE": "y" }],
  ])("refuses an invalid language tag or value of %s: %j", async (member, metadata) => {
    const answer = await register(metadata);
    expectOAuthError(answer, 400, "invalid_client_metadata");
    expect(answer.json?.["error_description"]).toMatch(new RegExp(`^${member}:`));
  });
});

describe("RFC 7591 §3.2.2: an error names the invalid member", () => {
  const rows: [string, object][] = [
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "client_secret_basic" }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "client_secret_jwt" }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "tls_client_auth" }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "none" }],
    ["token_endpoint_auth_signing_alg", { token_endpoint_auth_signing_alg: "RS256" }],
    ["token_endpoint_auth_signing_alg", { token_endpoint_auth_signing_alg: "none" }],
    ["introspection_signed_response_alg", { introspection_signed_response_alg: "RS256" }],
    ["introspection_signed_response_alg", { introspection_signed_response_alg: "none" }],
    ["introspection_signed_response_alg", { introspection_signed_response_alg: 7 }],
    ["introspection_encrypted_response_alg", { introspection_encrypted_response_alg: "ECDH-ES" }],
    ["introspection_encrypted_response_enc", { introspection_encrypted_response_enc: "A256GCM" }],
    ["grant_types", { grant_types: ["password"] }],
    ["grant_types", { grant_types: ["implicit"] }],
    ["grant_types", { grant_types: [] }],
    ["grant_types", { grant_types: "authorization_code" }],
    ["grant_types", { grant_types: ["refresh_token"] }],
    ["response_types", { response_types: ["token"] }],
    ["response_types", { response_types: ["code id_token"] }],
    ["client_name", { client_name: "n".repeat(201) }],
    ["client_name", { client_name: 7 }],
    ["client_name", { client_name: "" }],
    ["client_name", { client_name: " " }],
    ["client_name", { client_name: "Bank\u202eknab" }],
    ["client_name", { client_name: "\u3164\u2800" }],
    ["logo_uri", { logo_uri: "javascript:alert(1)" }],
    ["client_uri", { client_uri: "http://bot.example" }],
    ["policy_uri", { policy_uri: "policy" }],
    ["tos_uri", { tos_uri: ["https://bot.example"] }],
    ["contacts", { contacts: "ops@bot.example" }],
    ["software_id", { software_id: "s".repeat(201) }],
    ["scope", { scope: "everything" }],
    ["scope", { scope: "charges.write grant_management_query" }],
    ["scope", { scope: 'charges.write"' }],
    ["dpop_bound_access_tokens", { dpop_bound_access_tokens: "true" }],
    ["authorization_details_types", { authorization_details_types: ["openid_credential"] }],
    ["jwks", { jwks: undefined }],
    ["jwks", { jwks: [] }],
    ["jwks", { jwks: { keys: [] } }],
    ["jwks", { jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }],
    ["jwks", { jwks: { keys: [{ kty: "EC", crv: "P-384", x: "AA", y: "AA" }] } }],
    ["jwks", { jwks: { keys: [{ kty: "EC", crv: "P-256", x: "AA", y: "AA" }] } }],
    ["jwks", { jwks: { keys: ["key"] } }],
    ["client_id", { client_id: "cl_test_mine" }],
    ["client_id_issued_at", { client_id_issued_at: 1 }],
    ["client_secret", { client_secret: "mine" }],
    ["registration_access_token", { registration_access_token: "mine" }],
    ["registration_client_uri", { registration_client_uri: "https://bot.example" }],
    ["merchant_id", { merchant_id: "mch_another" }],
  ];
  test.each(rows)("%s: %j", async (member, metadata) => {
    const answer = await register(metadata);
    expectOAuthError(answer, 400, "invalid_client_metadata");
    expect(answer.json?.["error_description"]).toMatch(new RegExp(`^${member}:`));
  });
});

describe("redirect_uris (RFC 7591 §3.2.2, RFC 9700 §4.1.3)", () => {
  const bad = [
    "http://bot.example/cb",
    "https://bot.example/cb#fragment",
    "https://bot.example/cb#",
    "/cb",
    "bot.example/cb",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://app.localhost/cb",
    "http://127.0.0.1.evil.example/cb",
    "https://user:pass@bot.example/cb",
    " https://bot.example/cb",
    "https://bot.example/cb\u0000",
    "https://bot.example/ä",
    "",
    "https://",
  ];
  test.each(bad)("refuses %j", async (uri) => {
    const answer = await register({ redirect_uris: [uri] });
    expectOAuthError(answer, 400, /^invalid_(redirect_uri|request)$/);
  });
  test("refuses an invalid value even for a client without redirects", async () => {
    const answer = await register({ ...merchantOnly, redirect_uris: ["http://bot.example/cb"] });
    expectOAuthError(answer, 400, "invalid_redirect_uri");
  });
  test("requires a list of 1 to 20", async () => {
    for (const redirect_uris of [
      [],
      undefined,
      "https://bot.example/cb",
      Array.from({ length: 21 }, (_, index) => `https://bot.example/${index}`),
    ]) {
      const answer = await register({ redirect_uris });
      expectOAuthError(answer, 400, "invalid_redirect_uri");
      expect(answer.json?.["error_description"]).toMatch(/^redirect_uris:/);
    }
  });
  test.each(["https://bot.example/cb?a=b", "http://127.0.0.1:8080/cb", "http://[::1]/cb"])(
    "accepts %s",
    async (uri) => {
      expect((await register({ redirect_uris: [uri] })).json).toMatchObject({ redirect_uris: [uri] });
    },
  );
});

describe("software_statement (RFC 7591 §2.3, §3.1.1)", () => {
  test("its values override the members of the request, and the statement is returned unmodified (§2.3, §3.2.1)", async () => {
    const attested = {
      client_name: "Verified Bot",
      software_id: "4f1c",
      redirect_uris: ["https://verified.example/cb"],
    };
    const software_statement = await makeSoftwareStatement("sandbox", attested);
    const answer = await register({ client_name: "Any Bot", contacts: ["me@bot.example"], software_statement });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ ...attested, contacts: ["me@bot.example"], software_statement });
  });

  test("applies all rules to the values of the statement", async () => {
    const software_statement = await makeSoftwareStatement("sandbox", { grant_types: ["implicit"] });
    const answer = await register({ software_statement });
    expectOAuthError(answer, 400, "invalid_client_metadata");
    expect(answer.json?.["error_description"]).toMatch(/^grant_types:/);
  });

  const statementOf = (claims: object, header: object = {}) =>
    new SignJWT({ client_name: "Bot", jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "paygrant-software-statement+jwt", kid: "test", ...header })
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key.privateKey);

  test("a statement that another party signed in the directory's name: invalid_software_statement (§3.2.2)", async () => {
    const forged = await statementOf({ iss: `${sandboxUrl}/directory` });
    expectOAuthError(await register({ software_statement: forged }), 400, "invalid_software_statement");
  });

  test("a statement of another issuer: unapproved_software_statement (§3.2.2)", async () => {
    for (const iss of ["https://other.example", productionUrl, undefined]) {
      const software_statement = await statementOf(iss ? { iss } : {});
      expectOAuthError(await register({ software_statement }), 400, "unapproved_software_statement");
    }
  });

  test("refuses a statement of production's directory in the sandbox", async () => {
    const software_statement = await makeSoftwareStatement("production", { client_name: "Bot" });
    expectOAuthError(await register({ software_statement }), 400, "unapproved_software_statement");
  });

  test.each<[string, unknown]>([
    ["a number", 7],
    ["an empty text", ""],
    ["a text that isn't a JWT", "x"],
    ["a malformed JWT", "a.b.c"],
    ["a text of 20,000 characters", "x".repeat(20_000)],
    ["an object", {}],
  ])("%s: invalid_software_statement", async (_name, statement) => {
    expectOAuthError(await register({ software_statement: statement }), 400, "invalid_software_statement");
  });

  test("a statement with a changed signature or payload: invalid_software_statement", async () => {
    const [header, payload, signature] = (await makeSoftwareStatement("sandbox", { client_name: "Bot" })).split(".");
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, client_name: "Bank" })).toString("base64url");
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "paygrant-software-statement+jwt" })).toString(
      "base64url",
    );
    for (const statement of [`${header}.${changed}.${signature}`, `${header}.${payload}.`, `${none}.${payload}.`]) {
      expectOAuthError(await register({ software_statement: statement }), 400, "invalid_software_statement");
    }
  });
});

describe("production requires an initial access token (RFC 7591 §3)", () => {
  const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

  test("without a token: 401 with a challenge that has no error (RFC 6750 §3.1)", async () => {
    const answer = await register({}, {}, productionUrl);
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(["Bearer made-up", "Bearer", "Basic dTpw", "DPoP made-up"])("%j: 401", async (authorization) => {
    const answer = await register({}, { authorization }, productionUrl);
    expectOAuthError(answer, 401, "invalid_token");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
  });

  test("the sandbox checks a token that is sent, and refuses an invented one", async () => {
    expectOAuthError(await register({}, authorized("made-up")), 401, "invalid_token");
  });

  test.each(["production", "sandbox"] as const)(
    "refuses a token in the query (RFC 6750 §2.3): %s",
    async (environment) => {
      const { token } = await makeInitialAccessToken("production", "agent");
      const baseUrl = environment === "production" ? productionUrl : sandboxUrl;
      const answer = await postJson(`${baseUrl}/oauth/register?access_token=${token}`, {
        redirect_uris: ["https://bot.example/cb"],
        jwks: { keys: [key.publicJwk] },
      });
      expectOAuthError(answer, 400, "invalid_request");
    },
  );

  test("the token determines owner, kind and the allowed scopes", async () => {
    const { token, merchantId } = await makeInitialAccessToken("production", "merchant");
    const answer = await register(merchantOnly, authorized(token), productionUrl);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ client_id: expect.stringMatching(/^cl_live_/), merchant_id: merchantId });
    for (const metadata of [
      {},
      { ...merchantOnly, scope: "grant_management_query" },
      { ...merchantOnly, merchant_id: "mch_x" },
    ]) {
      expectOAuthError(await register(metadata, authorized(token), productionUrl), 400, "invalid_client_metadata");
    }
  });

  test("an agent's token also determines the allowed scopes; a client that requests no scope gets all of them", async () => {
    const { token } = await makeInitialAccessToken("production", "agent");
    const answer = await register({}, authorized(token), productionUrl);
    expect(answer.json).toMatchObject({ scope: "grant_management_query" });
    for (const scope of ["grant_management_revoke", "charges.read"]) {
      const refused = await register({ scope }, authorized(token), productionUrl);
      expectOAuthError(refused, 400, "invalid_client_metadata");
      expect(refused.json?.["error_description"]).toMatch(/^scope:/);
    }
  });

  test("an agent can't choose Bearer tokens in production (docs/spec/oauth.md, Access tokens)", async () => {
    const { token } = await makeInitialAccessToken("production", "agent");
    const answer = await register({ dpop_bound_access_tokens: false }, authorized(token), productionUrl);
    expectOAuthError(answer, 400, "invalid_client_metadata");
  });

  test("a refused registration doesn't use up a token; the errors for a used, an expired and an unknown token differ", async () => {
    const { token } = await makeInitialAccessToken("production", "agent", { uses: 5 });
    const registerWith = (metadata: object = {}) => register(metadata, authorized(token), productionUrl);
    expectOAuthError(await registerWith({ scope: "everything" }), 400, "invalid_client_metadata");
    // Fifty concurrent requests register no more clients than the token allows.
    const answers = await Promise.all(Array.from({ length: 50 }, () => registerWith()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const spent = await registerWith();
    expectOAuthError(spent, 401, "invalid_token");
    expect(spent.json?.["error_description"]).toMatch(/has been used up/);

    const other = await makeInitialAccessToken("production", "agent", { lifetime: "0 s" });
    const expired = await register({}, authorized(other.token), productionUrl);
    expectOAuthError(expired, 401, "invalid_token");
    expect(expired.json?.["error_description"]).toMatch(/has expired/);
    const unknown = await register({}, authorized("made-up"), productionUrl);
    expect(unknown.json?.["error_description"]).toMatch(/is unknown/);
  });
});
