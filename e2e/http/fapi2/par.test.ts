import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../support/ageing.ts";
import { expectErrorPage, expectOAuthError } from "../../support/answers/error-shape.ts";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { signIn } from "../../support/oauth/consent-driver.ts";
import { approve, type FapiClient, push, redeem, registerPair } from "../../support/oauth/fapi-clients.ts";
import { signAssertion } from "../../support/oauth/oauth-client.ts";
import { postAs } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let first: FapiClient;
let second: FapiClient;
beforeAll(async () => {
  [first, second] = await registerPair(sandboxUrl);
});

const open = (client: FapiClient, requestUri: string, cookie = "") =>
  send(`${sandboxUrl}/oauth/authorize?${new URLSearchParams({ client_id: client.id, request_uri: requestUri })}`, {
    headers: { cookie },
  });

test("par-without-duplicate-parameters: client_id and request_uri are enough for the whole flow (RFC 9101 §5)", async () => {
  const pushed = await push(first);
  const parameters = await approve(first, pushed);
  expect((await redeem(first, { ...pushed, code: parameters.get("code") ?? "" })).status).toBe(200);
});

describe("a request_uri belongs to one client, can be completed once, and expires (RFC 9126 §4, §7.3)", () => {
  test("par-ensure-reused-request-uri-prior-to-auth-completion-succeeds: opening it doesn't consume it (FAPI 2.0 §5.3.2.2)", async () => {
    const pushed = await push(first);
    const signedOut = await open(first, pushed.requestUri);
    expect(signedOut.status).toBe(303);
    const page = await send(signedOut.headers.get("location") ?? "");
    expect(page.headers.get("location")).toContain("/sign-in?");
    expect((await approve(first, pushed)).has("code")).toBe(true);
  });

  test("par-attempt-reuse-request_uri: is refused after completion, whether the payer is signed in or not", async () => {
    const pushed = await push(first);
    await approve(first, pushed);
    expectErrorPage(await open(first, pushed.requestUri), 400);
    expectErrorPage(await open(first, pushed.requestUri, await signIn(sandboxUrl)), 400);
  });

  test("par-attempt-to-use-expired-request_uri: is accepted for 300 s, then refused", async () => {
    const [inTime, late] = [await push(first), await push(first)];
    await age("requestUri", inTime.requestUri, 240);
    await age("requestUri", late.requestUri, 300);
    expect((await open(first, inTime.requestUri)).status).toBe(303);
    expectErrorPage(await open(first, late.requestUri), 400);
  });

  test("par-attempt-to-use-request_uri-for-different-client: is refused with another client_id, and still works afterwards", async () => {
    const pushed = await push(first);
    expectErrorPage(await open(second, pushed.requestUri, await signIn(sandboxUrl)), 400);
    expect((await approve(first, pushed)).has("code")).toBe(true);
  });
});

describe("PAR refuses (RFC 9126 §2.1, §2.3)", () => {
  test("par-authorization-request-containing-request_uri-form-param: refuses a pushed request_uri", async () => {
    for (const request_uri of ["urn:ietf:params:oauth:request_uri:any", (await push(first)).requestUri]) {
      expectOAuthError((await push(first, { request_uri })).answer, 400, "invalid_request");
    }
  });

  test("par-attempt-invalid-http-method: refuses every method except POST", async () => {
    for (const method of ["PUT", "GET", "DELETE", "PATCH"]) {
      const answer = await send(`${sandboxUrl}/oauth/par`, { method });
      expectOAuthError(answer, 405);
      expect(answer.headers.get("allow")).toContain("POST");
    }
  });

  test("par-ensure-pkce-required: refuses a request without a challenge (FAPI 2.0 §5.3.2.2)", async () => {
    const fields = { code_challenge: undefined, code_challenge_method: undefined };
    expectOAuthError((await push(first, fields)).answer, 400, "invalid_request");
  });

  test("par-plain-pkce-rejected: refuses the method plain, explicit or by default (FAPI 2.0 §5.3.2.2)", async () => {
    for (const code_challenge_method of ["plain", undefined]) {
      expectOAuthError((await push(first, { code_challenge_method })).answer, 400, "invalid_request");
    }
  });
});

describe("a client assertion at PAR (FAPI 2.0 §5.3.2.1)", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const pushWith = async (audience: string, claims: Record<string, unknown> = {}) =>
    (await push(first, { client_assertion: await signAssertion(first, audience, { claims }) })).answer;

  test("par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted: allows for clock skew", async () => {
    expect((await pushWith(sandboxUrl, { iat: now() + 8, nbf: now() + 8 })).status).toBe(201);
  });

  test("par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails: refuses a larger skew", async () => {
    const claims = { iat: now() + 65, nbf: now() + 65, exp: now() + 125 };
    expectOAuthError(await pushWith(sandboxUrl, claims), 401, "invalid_client");
  });

  const wrong: [string, string, Record<string, unknown>][] = [
    [
      "par-test-array-as-audience-fails: an array, even if it contains only the issuer",
      sandboxUrl,
      { aud: [sandboxUrl] },
    ],
    ["par-test-par-endpoint-url-as-audience-fails: the URL of the PAR endpoint", `${sandboxUrl}/oauth/par`, {}],
    ["par-test-token-endpoint-url-as-audience-fails: the URL of the token endpoint", `${sandboxUrl}/oauth/token`, {}],
  ];
  test.each(wrong)("%s", async (_title, audience, claims) => {
    expectOAuthError(await pushWith(audience, claims), 401, "invalid_client");
  });

  test("refuses a request without an assertion", async () => {
    const unproven = { client_assertion: undefined, client_assertion_type: undefined, client_id: first.id };
    expectOAuthError(await postAs(first, "/oauth/par", { form: unproven }), 401, "invalid_client");
  });
});
