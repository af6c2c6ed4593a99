import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorPage, expectOAuthError } from "../../support/answers/error-shape.ts";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { decide, openConsent, signIn } from "../../support/oauth/consent-driver.ts";
import { approve, type FapiClient, push, redeem, registerPair } from "../../support/oauth/fapi-clients.ts";
import { makePkce } from "../../support/oauth/oauth-client.ts";

const { sandboxUrl } = currentInstance();

let client: FapiClient;
beforeAll(async () => {
  [client] = await registerPair(sandboxUrl);
});

/** Opens the page with extra parameters, then approves. @returns the parameters of the redirect. */
const approveWith = async (requestUri: string, more: Record<string, string>): Promise<URLSearchParams> => {
  const cookie = await signIn(sandboxUrl);
  const query = new URLSearchParams({ client_id: client.id, request_uri: requestUri, ...more });
  const opened = await send(`${sandboxUrl}/oauth/authorize?${query}`, { headers: { cookie } });
  expect(opened.status).toBe(303);
  const page = await openConsent(sandboxUrl, { clientId: client.id, requestUri }, cookie);
  expect(opened.headers.get("location")).toBe(page.url);
  return new URL((await decide(page, cookie, { decision: "approve" })).headers.get("location") ?? "").searchParams;
};

describe("only pushed parameters have an effect (FAPI 2.0 §5.3.2.2, RFC 9126 §4)", () => {
  test("ensure-different-state-inside-and-outside-request-object: returns the pushed state", async () => {
    const { requestUri } = await push(client, { state: "inside" });
    expect((await approveWith(requestUri, { state: "outside" })).getAll("state")).toEqual(["inside"]);
  });

  test("state-only-outside-request-object-not-used: never returns a state that was sent only in the query", async () => {
    const { requestUri } = await push(client, { state: undefined });
    expect([...(await approveWith(requestUri, { state: "outside" })).keys()].sort()).toEqual(["code", "iss"]);
  });

  test("ensure-authorization-request-with-long-state: returns 1,000 characters as sent", async () => {
    const state = "long state & ünïcode ".repeat(50).slice(0, 1000);
    expect((await approve(client, await push(client, { state }))).get("state")).toBe(state);
  });

  test("ignores a challenge, redirect URI or scope in the query", async () => {
    const pushed = await push(client);
    const parameters = await approveWith(pushed.requestUri, {
      code_challenge: makePkce().challenge,
      redirect_uri: "https://evil.example/cb",
      scope: "grant_management_query",
    });
    const answer = await redeem(client, { ...pushed, code: parameters.get("code") ?? "" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).not.toHaveProperty("scope");
  });
});

describe("PAR refuses a request that the profile forbids (FAPI 2.0 §5.3.2.2)", () => {
  const rows: [string, string, Record<string, string | undefined>][] = [
    [
      "ensure-request-object-without-redirect-uri-fails: redirect_uri is required, even when only one is registered",
      "invalid_request",
      { redirect_uri: undefined },
    ],
    [
      "ensure-redirect-uri-in-authorization-request: an empty redirect_uri counts as absent",
      "invalid_request",
      { redirect_uri: "" },
    ],
    [
      "plain-fapi-tolerate-unregistered-redirect-uri: refused, although RFC 9126 §2.4 permits it",
      "invalid_request",
      { redirect_uri: "https://unregistered.example/cb" },
    ],
    [
      "ensure-response-type-code-idtoken-fails: no token is issued through the browser",
      "unsupported_response_type",
      { response_type: "code id_token" },
    ],
    ["ensure-response-type-token-fails: no implicit grant", "unsupported_response_type", { response_type: "token" }],
  ];
  test.each(rows)("%s", async (_title, code, fields) => {
    expectOAuthError((await push(client, fields)).answer, 400, code);
  });
});

test("ensure-unsigned-authorization-request-without-using-par-fails: responds to plain parameters in the query with an error page and no redirect (RFC 9126 §5)", async () => {
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: "code",
    redirect_uri: client.redirectUri,
    code_challenge: makePkce().challenge,
    code_challenge_method: "S256",
    state: "unpushed",
  });
  expectErrorPage(await send(`${sandboxUrl}/oauth/authorize?${query}`), 400);
});
