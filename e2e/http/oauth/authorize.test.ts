import { beforeAll, describe, expect, test } from "vitest";
import { decide, openConsent, signIn } from "../../support/consent-driver.ts";
import { expectErrorPage } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import { mandateDetails, pushFields } from "../../support/mandate-flow.ts";
import {
  type Merchant,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../../support/parties.ts";
import { postForm, send, textOf } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();
const state = "a b+c%20&=é~";

let agent: Party;
let other: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, other, merchant] = await Promise.all([
    registerAgent(sandboxUrl),
    registerAgent(sandboxUrl),
    registerMerchant(sandboxUrl),
  ]);
});

const push = async (fields: Record<string, string> = {}) =>
  textOf(
    await postAs(agent, "/oauth/par", pushFields([mandateDetails(merchant.merchantId)], { state, ...fields }).form),
    "request_uri",
  );

const authorize = (parameters: Record<string, string>, method = "GET") =>
  method === "GET"
    ? send(`${sandboxUrl}/oauth/authorize?${new URLSearchParams(parameters)}`)
    : postForm(`${sandboxUrl}/oauth/authorize`, parameters);

describe.each(["GET", "POST"])("%s /oauth/authorize", (method) => {
  const rows: [string, (requestUri: string) => Record<string, string>][] = [
    ["nothing at all", () => ({})],
    ["no request_uri", () => ({ client_id: agent.id })],
    ["no client_id", (requestUri) => ({ request_uri: requestUri })],
    ["an unknown client", (requestUri) => ({ client_id: "cl_test_unknown", request_uri: requestUri })],
    ["another client's request_uri", (requestUri) => ({ client_id: other.id, request_uri: requestUri })],
    [
      "an unknown request_uri",
      () => ({ client_id: agent.id, request_uri: "urn:ietf:params:oauth:request_uri:unknown" }),
    ],
    ["a request_uri that is an address", () => ({ client_id: agent.id, request_uri: "https://evil.example/request" })],
    ["plain parameters without PAR", () => ({ client_id: agent.id, response_type: "code", redirect_uri: redirectUri })],
  ];
  test.each(rows)("%s: a page that never redirects (RFC 6749 §4.1.2.1)", async (_name, parameters) => {
    expectErrorPage(await authorize({ ...parameters(await push()), redirect_uri: redirectUri }, method), 400);
  });

  test("303 to the consent page, each time, before completion; other parameters are ignored", async () => {
    const parameters = {
      client_id: agent.id,
      request_uri: await push(),
      state: "other",
      redirect_uri: "https://evil.example",
    };
    const [first, second] = [await authorize(parameters, method), await authorize(parameters, method)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(first.headers.get("location")).toMatch(new RegExp(`^${sandboxUrl}/consent/[\\w-]{43,}$`));
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.get("access-control-allow-origin")).toBeNull();
    expect(first.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});

const open = async (fields: Record<string, string> = {}) => {
  const cookie = await signIn(sandboxUrl);
  const requestUri = await push(fields);
  return { cookie, requestUri, page: await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie) };
};

describe("the consent page (1-oauth, Authorize)", () => {
  test("is never framed or cached, and shows itself only to who signed in", async () => {
    const { page, cookie } = await open();
    const shown = await send(page.url, { headers: { cookie } });
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(shown.headers.get("x-frame-options")).toBe("DENY");
    expect(shown.headers.get("cache-control")).toMatch(/no-store|no-cache|private/);
    const stranger = await send(page.url);
    expect([303, 307]).toContain(stranger.status);
    expect(stranger.headers.get("location")).toContain("/sign-in?return_to=");
  });

  test("approval: 303 with code, state as sent and iss (RFC 9207 §2)", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, "approve");
    const location = new URL(answer.headers.get("location") ?? "");
    expect(answer.status).toBe(303);
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
    expect([...location.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(location.searchParams.get("state")).toBe(state);
    expect(location.searchParams.get("iss")).toBe(sandboxUrl);
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("decline: 303 with access_denied, state and iss", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, "decline");
    const { searchParams } = new URL(answer.headers.get("location") ?? "");
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state, iss: sandboxUrl });
    expect(searchParams.has("code")).toBe(false);
  });

  test("once completed, the link and the page are gone", async () => {
    const { page, cookie, requestUri } = await open();
    await decide(page, cookie, "decline");
    expectErrorPage(await authorize({ client_id: agent.id, request_uri: requestUri }), 400);
    expect((await decide(page, cookie, "approve")).headers.get("location")).toContain("error=consent_gone");
  });

  const staysUndecided = async (page: { url: string }, answer: { status: number; headers: Headers }) => {
    expect(answer.headers.get("location") ?? "").not.toContain("code=");
    expect((await send(page.url, { headers: { cookie: await signIn(sandboxUrl) } })).status).toBe(200);
  };

  test("a decision without the page's token decides nothing", async () => {
    const { page, cookie } = await open();
    for (const formToken of ["", "made-up", page.formToken.slice(0, -2)]) {
      const answer = await decide({ ...page, formToken }, cookie, "approve");
      expect(answer.headers.get("location")).toContain("error=consent_stale");
      await staysUndecided(page, answer);
    }
  });

  test("the token of another request decides nothing", async () => {
    const [one, another] = [await open(), await open()];
    const answer = await decide({ ...one.page, formToken: another.page.formToken }, one.cookie, "approve");
    expect(answer.headers.get("location")).toContain("error=consent_stale");
    await staysUndecided(one.page, answer);
  });

  test.each([
    ["another site's Origin", { origin: "https://evil.example" }],
    ["Origin null", { origin: "null" }],
    ["no Origin", {}],
    ["Sec-Fetch-Site cross-site", { origin: sandboxUrl, "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site same-site", { "sec-fetch-site": "same-site" }],
  ])("a decision sent with %s is 403", async (_name, headers) => {
    const { page, cookie } = await open();
    const fields = { form_token: page.formToken, decision: "approve", payment_method_id: page.paymentMethodId };
    const answer = await postForm(`${page.url}/decision`, fields, { cookie, ...headers });
    expectErrorPage(answer, 403);
    await staysUndecided(page, answer);
  });

  test("without a session: to the sign-in, and nothing is decided", async () => {
    const { page } = await open();
    const answer = await decide(page, "", "approve");
    expect(answer.headers.get("location")).toContain("/sign-in?");
    await staysUndecided(page, answer);
  });

  test("a widened limit is refused beside its field", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, "approve", { m0_max_total_amount: "99999.00" });
    const { searchParams } = new URL(answer.headers.get("location") ?? "");
    expect(searchParams.get("field")).toBe("/mandates/0/max_total_amount");
    await staysUndecided(page, answer);
  });
});
