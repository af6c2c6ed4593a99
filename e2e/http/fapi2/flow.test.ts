import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent, decide, openConsent, signIn } from "../../support/oauth/consent-driver.ts";
import {
  approve,
  authorize,
  chargesUrl,
  type FapiClient,
  grantTokens,
  push,
  readResource,
  redeem,
  registerPair,
} from "../../support/oauth/fapi-clients.ts";
import { signProof } from "../../support/oauth/oauth-client.ts";

const { sandboxUrl } = currentInstance();

let first: FapiClient;
let second: FapiClient;
beforeAll(async () => {
  [first, second] = await registerPair(sandboxUrl);
});

/** RFC 6749 §5.1, as restricted by FAPI 2.0. */
const expectTokens = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.json).toMatchObject({ token_type: "DPoP", expires_in: 300, access_token: expect.any(String) });
  expect(answer.json).not.toHaveProperty("id_token");
};

test("discovery-end-point-verification: metadata lists only what the profile allows (FAPI 2.0 §5.3.2.1, §5.4)", async () => {
  const answer = await send(`${sandboxUrl}/.well-known/oauth-authorization-server`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  const metadata = answer.json as Record<string, string | string[]>;
  expect(metadata["issuer"]).toBe(sandboxUrl);
  const algorithms = Object.entries(metadata).filter(([name]) => name.endsWith("_alg_values_supported"));
  expect(algorithms.length).toBeGreaterThan(1);
  const allowed = ["ES256", "PS256", "EdDSA", "Ed25519"];
  for (const [, values] of algorithms) expect(allowed).toEqual(expect.arrayContaining([...values]));
  expect(metadata["token_endpoint_auth_methods_supported"]).toEqual(["private_key_jwt"]);
  expect(metadata["code_challenge_methods_supported"]).toEqual(["S256"]);
  expect(metadata["response_types_supported"]).toEqual(["code"]);
  expect(metadata["require_pushed_authorization_requests"]).toBe(true);
  expect(metadata["authorization_response_iss_parameter_supported"]).toBe(true);
  for (const scope of metadata["scopes_supported"] ?? []) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
  for (const grant of ["password", "implicit"]) expect(metadata["grant_types_supported"]).not.toContain(grant);
});

describe("happy-flow: two clients of one payer get separate tokens (FAPI 2.0 §5.3.2)", () => {
  let tokens: [Answer, Answer];
  beforeAll(async () => {
    tokens = [await grantTokens(first), await grantTokens(second)];
  });

  test("gives each client bound tokens for its resource, whatever the Accept header is", async () => {
    for (const [client, granted] of [[first, tokens[0]] as const, [second, tokens[1]] as const]) {
      expectTokens(granted);
      for (const accept of ["application/json;charset=UTF-8", "application/json, application/*+json, */*"]) {
        expect((await readResource(client, granted, { headers: { accept } })).status).toBe(200);
      }
    }
  });

  test("keeps the query of a registered redirect URI (RFC 6749 §3.1.2)", async () => {
    const cookie = await signIn(sandboxUrl);
    const { requestUri } = await push(second);
    const page = await openConsent(sandboxUrl, { clientId: second.id, requestUri }, cookie);
    const location = (await decide(page, cookie, { decision: "approve" })).headers.get("location") ?? "";
    expect(location.startsWith(`${second.redirectUri}&`)).toBe(true);
  });

  test("refuses an access token in the query (FAPI 2.0 §5.3.3)", async () => {
    const accessToken = textOf(tokens[0], "access_token");
    const url = chargesUrl(first, tokens[0]);
    const dpop = await signProof(first.dpop, { method: "GET", url, accessToken });
    expectOAuthError(await send(`${url}?access_token=${accessToken}`, { headers: { dpop } }), 400, "invalid_request");
  });

  test("refuses one client's token with the other client's key", async () => {
    expectOAuthError(await readResource(second, tokens[1], { key: first.dpop }), 401, "invalid_token");
  });
});

test("user-rejects-authentication: redirects with access_denied, the state and our iss (RFC 6749 §4.1.2.1)", async () => {
  const { requestUri } = await push(first, { state: "rejected" });
  const parameters = await consent(sandboxUrl, { clientId: first.id, requestUri }, { decision: "decline" });
  expect(Object.fromEntries(parameters)).toMatchObject({ error: "access_denied", state: "rejected", iss: sandboxUrl });
  expect(parameters.has("code")).toBe(false);
});

test("ensure-authorization-request-without-state-success: returns no state when none was sent (RFC 6749 §4.1.2)", async () => {
  const parameters = await approve(first, await push(first, { state: undefined }));
  expect([...parameters.keys()].sort()).toEqual(["code", "iss"]);
});

test("access-token-type-header-case-sensitivity: accepts the scheme's name in upper or lower case (RFC 9110 §11.1)", async () => {
  const granted = await redeem(first, await authorize(first));
  for (const scheme of ["dPOp", "dpop", "DPOP"]) {
    const headers = { authorization: `${scheme} ${textOf(granted, "access_token")}` };
    expect((await readResource(first, granted, { headers })).status).toBe(200);
  }
});
