import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postForm } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { assertionType, makeKey, signAssertion } from "../../../support/oauth/oauth-client.ts";
import { type Merchant, type Party, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const now = () => Math.floor(Date.now() / 1000);
const clientCredentials = { grant_type: "client_credentials" };

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

const present = (assertion: string, fields: Record<string, string> = {}) =>
  postForm(`${sandboxUrl}/oauth/token`, {
    ...clientCredentials,
    client_assertion_type: assertionType,
    client_assertion: assertion,
    ...fields,
  });

type Row = { rule: string; claims?: () => Record<string, unknown>; header?: object };

describe("RFC 7523 §3, FAPI 2.0 §5.3.2.1: responds with 401 invalid_client to a client assertion", () => {
  const rows: Row[] = [
    { rule: "without iss", claims: () => ({ iss: undefined }) },
    { rule: "without sub", claims: () => ({ sub: undefined }) },
    { rule: "whose iss is another client", claims: () => ({ iss: agent.id }) },
    { rule: "whose sub is another client", claims: () => ({ sub: agent.id }) },
    { rule: "of an unknown client", claims: () => ({ iss: "cl_test_unknown", sub: "cl_test_unknown" }) },
    { rule: "without exp", claims: () => ({ exp: undefined }) },
    { rule: "that has expired", claims: () => ({ exp: now() - 1 }) },
    { rule: "that expires this second", claims: () => ({ exp: now() }) },
    { rule: "whose exp is a string", claims: () => ({ exp: String(now() + 60) }) },
    { rule: "with a lifetime over one hour", claims: () => ({ exp: now() + 3660 }) },
    { rule: "issued more than 60 s in the future", claims: () => ({ iat: now() + 65, exp: now() + 120 }) },
    { rule: "with nbf more than 60 s in the future", claims: () => ({ nbf: now() + 65, exp: now() + 120 }) },
    { rule: "without jti", claims: () => ({ jti: undefined }) },
    { rule: "with an empty jti", claims: () => ({ jti: "" }) },
    { rule: "whose jti has 257 characters", claims: () => ({ jti: "j".repeat(257) }) },
    { rule: "whose jti contains NUL", claims: () => ({ jti: "a\0" }) },
    { rule: "whose jti is a number", claims: () => ({ jti: 7 }) },
    { rule: "without aud", claims: () => ({ aud: undefined }) },
    { rule: "for another server", claims: () => ({ aud: "https://other.example" }) },
    { rule: "whose aud is an array", claims: () => ({ aud: [sandboxUrl] }) },
    { rule: "whose aud is an array of two", claims: () => ({ aud: [sandboxUrl, `${sandboxUrl}/oauth/token`] }) },
    { rule: "whose aud ends with a slash", claims: () => ({ aud: `${sandboxUrl}/` }) },
    { rule: "whose aud is in upper case", claims: () => ({ aud: sandboxUrl.toUpperCase() }) },
    { rule: "for another of our endpoints", claims: () => ({ aud: `${sandboxUrl}/oauth/introspect` }) },
    { rule: "for production's issuer", claims: () => ({ aud: currentInstance().productionUrl }) },
    { rule: "of another typ", header: { typ: "at+jwt" } },
    { rule: "with jku", header: { jku: "https://evil.example/jwks" } },
    { rule: "with x5u", header: { x5u: "https://evil.example/cert" } },
    { rule: "with x5c", header: { x5c: ["MIIB"] } },
    { rule: "with jwk", header: { jwk: { kty: "EC" } } },
    { rule: "with an unknown kid", header: { kid: "another" } },
  ];
  test.each(rows)("$rule", async ({ claims, header }) => {
    const assertion = await signAssertion(merchant, sandboxUrl, {
      ...(claims ? { claims: claims() } : {}),
      ...(header ? { header } : {}),
    });
    expectOAuthError(await present(assertion), 401, "invalid_client");
  });

  test("the error for a wrong aud lists the accepted values and repeats nothing from the request (RFC 6749 §5.2)", async () => {
    const refusalOf = async (party: Party, aud: unknown) =>
      (await present(await signAssertion(party, sandboxUrl, { claims: { aud } }))).json?.["error_description"];
    const message = "aud must be one string that names this server; expected ";
    for (const aud of [`${sandboxUrl}/`, [sandboxUrl], 'https://other.example"\\']) {
      expect(await refusalOf(agent, aud)).toBe(`${message}${sandboxUrl}`);
      expect(await refusalOf(merchant, aud)).toBe(
        `${message}${sandboxUrl} or ${sandboxUrl}/oauth/token or ${sandboxUrl}/oauth/par`,
      );
    }
  });

  test("signed by another key", async () => {
    const { privateKey } = await makeKey();
    const assertion = await signAssertion({ id: merchant.id, privateKey }, sandboxUrl);
    expectOAuthError(await present(assertion), 401, "invalid_client");
  });

  test("whose payload was changed after signing", async () => {
    const [header, , signature] = (await signAssertion(merchant, sandboxUrl)).split(".");
    const claims = { iss: merchant.id, sub: merchant.id, aud: sandboxUrl, exp: now() + 60, jti: randomUUID() };
    const forged = [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    expectOAuthError(await present(forged), 401, "invalid_client");
  });

  test("without a signature, alg none (RFC 8725 §3.1)", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { iss: merchant.id, sub: merchant.id, aud: sandboxUrl, exp: now() + 60, jti: randomUUID() };
    for (const alg of ["none", "None", "NONE"]) {
      expectOAuthError(await present(`${part({ alg })}.${part(claims)}.`), 401, "invalid_client");
    }
  });

  test("with HS256 and the public key as secret (RFC 8725 §2.1)", async () => {
    const claims = { iss: merchant.id, sub: merchant.id, aud: sandboxUrl, exp: now() + 60, jti: randomUUID() };
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(JSON.stringify(merchant.publicJwk)));
    expectOAuthError(await present(assertion), 401, "invalid_client");
  });

  test("that was already used, whatever the response was (docs/spec/oauth.md, Replay protection)", async () => {
    const [one, two] = [await signAssertion(merchant, sandboxUrl), await signAssertion(merchant, sandboxUrl)];
    expect((await present(one)).status).toBe(200);
    expectOAuthError(await present(one), 401, "invalid_client");
    expectOAuthError(await present(two, { grant_type: "password" }), 400, "unsupported_grant_type");
    expectOAuthError(await present(two), 401, "invalid_client");
  });

  test("with the client_id of another client (RFC 7521 §4.2)", async () => {
    const assertion = await signAssertion(merchant, sandboxUrl);
    expectOAuthError(await present(assertion, { client_id: agent.id }), 401, "invalid_client");
  });

  const unproven: [string, Record<string, string>][] = [
    [
      "of another client_assertion_type",
      { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer" },
    ],
    ["without client_assertion_type", { client_assertion_type: "" }],
    ["that is empty", { client_assertion: "" }],
    ["that isn't a JWT", { client_assertion: "a.b.c" }],
    ["that is JSON", { client_assertion: "{}" }],
    ["of five parts, like an encrypted JWT", { client_assertion: "e30.e30.e30.e30.e30" }],
  ];
  test.each(unproven)("%s (RFC 7521 §4.2)", async (_name, fields) => {
    expectOAuthError(await present(await signAssertion(merchant, sandboxUrl), fields), 401, "invalid_client");
  });
});

describe("RFC 7523 §3: accepts a client assertion", () => {
  test("whose jti was sent earlier, but only with an invalid signature (docs/spec/oauth.md, Replay protection)", async () => {
    const claims = { jti: randomUUID() };
    const { privateKey } = await makeKey();
    const forged = await signAssertion({ id: merchant.id, privateKey }, sandboxUrl, { claims });
    expectOAuthError(await present(forged), 401, "invalid_client");
    expect((await present(await signAssertion(merchant, sandboxUrl, { claims }))).status).toBe(200);
  });

  const rows: (Row & { audience?: string })[] = [
    { rule: "with client_id as well" },
    { rule: "with a lifetime of one hour", claims: () => ({ exp: now() + 3590 }) },
    { rule: "with typ jwt, in any case (RFC 7515 §4.1.9)", header: { typ: "jwt" } },
    { rule: "with unknown claims", claims: () => ({ more: [1], scope: "charges.read" }) },
    { rule: "issued up to 10 s in the future", claims: () => ({ iat: now() + 9, nbf: now() + 9 }) },
    { rule: "without iat", claims: () => ({ iat: undefined }) },
    { rule: "of typ client-authentication+jwt", header: { typ: "client-authentication+jwt" } },
    { rule: "of typ JWT", header: { typ: "JWT" } },
    { rule: "without kid, when the client has one key", header: { kid: undefined } },
    {
      rule: "of a client without bound tokens, with the token endpoint as aud (RFC 7523 §3)",
      audience: `${sandboxUrl}/oauth/token`,
    },
    {
      rule: "of a client without bound tokens, with the PAR endpoint as aud (RFC 9126 §2)",
      audience: `${sandboxUrl}/oauth/par`,
    },
  ];
  test.each(rows)("$rule", async ({ claims, header, audience = sandboxUrl }) => {
    const assertion = await signAssertion(merchant, audience, {
      ...(claims ? { claims: claims() } : {}),
      ...(header ? { header } : {}),
    });
    const answer = await present(assertion, { client_id: merchant.id });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  });

  test.each(["ES256", "PS256", "EdDSA", "Ed25519"])("signed with %s (FAPI 2.0 §5.4, RFC 9864 §2.2)", async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const key = { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid: "test" } };
    const client = await registerMerchant(sandboxUrl, { key });
    expect((await present(await signAssertion(client, sandboxUrl, { header: { alg } }))).status).toBe(200);
  });

  test("signed with either of two keys, selected by kid (RFC 7515 §4.1.4)", async () => {
    const [one, two] = [await makeKey("one"), await makeKey("two")];
    const jwks = { keys: [one.publicJwk, two.publicJwk] };
    const client = await registerMerchant(sandboxUrl, { key: one, metadata: { jwks } });
    for (const [kid, { privateKey }] of [["one", one] as const, ["two", two] as const]) {
      const assertion = await signAssertion({ id: client.id, privateKey }, sandboxUrl, { header: { kid } });
      expect((await present(assertion)).status).toBe(200);
    }
    const crossed = await signAssertion(client, sandboxUrl, { header: { kid: "two" } });
    expectOAuthError(await present(crossed), 401, "invalid_client");
  });
});

test("RFC 7591 §2: enforces a registered token_endpoint_auth_signing_alg", async () => {
  const { privateKey, publicKey } = await generateKeyPair("PS256", { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: "rsa" };
  const own = await makeKey();
  const metadata = { jwks: { keys: [own.publicJwk, publicJwk] }, token_endpoint_auth_signing_alg: "ES256" };
  const client = await registerMerchant(sandboxUrl, { key: own, metadata });
  const ps256 = await signAssertion({ id: client.id, privateKey }, sandboxUrl, {
    header: { alg: "PS256", kid: "rsa" },
  });
  expectOAuthError(await present(ps256), 401, "invalid_client");
  expect((await present(await signAssertion(client, sandboxUrl))).status).toBe(200);
});

test.each(["EdDSA", "Ed25519"])("RFC 9864 §2.2: a client registered for %s may use either name", async (pinned) => {
  const { privateKey, publicKey } = await generateKeyPair("Ed25519", { extractable: true });
  const key = { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid: "test", alg: pinned } };
  const client = await registerMerchant(sandboxUrl, { key, metadata: { token_endpoint_auth_signing_alg: pinned } });
  expect(client.registration).toMatchObject({
    token_endpoint_auth_signing_alg: pinned,
    jwks: { keys: [{ alg: pinned }] },
  });
  for (const alg of ["EdDSA", "Ed25519"]) {
    const answer = await present(await signAssertion(client, sandboxUrl, { header: { alg } }));
    expect(answer.status, answer.text).toBe(200);
  }
});
