import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../../support/ageing.ts";
import { expectErrorPage } from "../../../support/answers/error-shape.ts";
import { formType, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { decide, openConsent, signIn } from "../../../support/oauth/consent-driver.ts";
import { mandateDetails, pushFields } from "../../../support/oauth/mandate-flow.ts";
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
    await postAs(agent, "/oauth/par", { form: pushFields([mandateDetails(merchant.merchantId)], fields).form }),
    "request_uri",
  );

const authorize = (query: string, method: string, headers: Record<string, string> = {}) =>
  method === "GET"
    ? send(`${sandboxUrl}/oauth/authorize?${query}`, { headers })
    : send(`${sandboxUrl}/oauth/authorize`, { method, headers: { "content-type": formType, ...headers }, body: query });

const pair = (requestUri: string, clientId = agent.id) =>
  new URLSearchParams({ client_id: clientId, request_uri: requestUri }).toString();

describe.each(["GET", "POST"])("RFC 6749 §3.1, §4.1.2.1: %s /oauth/authorize", (method) => {
  const rows: [string, (requestUri: string) => string][] = [
    ["nothing at all", () => ""],
    ["no request_uri", () => `client_id=${agent.id}`],
    ["an empty request_uri, which counts as absent", () => pair("")],
    ["no client_id", (requestUri) => new URLSearchParams({ request_uri: requestUri }).toString()],
    ["an empty client_id, which counts as absent", (requestUri) => pair(requestUri, "")],
    ["an unknown client", (requestUri) => pair(requestUri, "cl_test_unknown")],
    ["a merchant client", (requestUri) => pair(requestUri, merchant.id)],
    ["another client's request_uri", (requestUri) => pair(requestUri, other.id)],
    ["an unknown request_uri", () => pair("urn:ietf:params:oauth:request_uri:unknown")],
    ["a request_uri that is an https URL", () => pair("https://evil.example/request")],
    ["a request_uri with another prefix", (requestUri) => pair(requestUri.replace("request_uri:", "request-uri:"))],
    ["a request_uri cut short", (requestUri) => pair(requestUri.slice(0, -1))],
    ["client_id twice", (requestUri) => `${pair(requestUri)}&client_id=${agent.id}`],
    ["request_uri twice", (requestUri) => `${pair(requestUri)}&request_uri=x`],
    ["an unknown parameter twice", (requestUri) => `${pair(requestUri)}&a=1&a=1`],
    ["plain parameters without PAR (RFC 9126 §5)", () => `client_id=${agent.id}&response_type=code`],
    ["a request object (RFC 9101)", () => `client_id=${agent.id}&request=e30.e30.`],
  ];
  test.each(rows)("%s: responds with a 400 page and never redirects", async (_name, query) => {
    const whole = `${query(await push())}&redirect_uri=${encodeURIComponent(redirectUri)}&state=x`;
    expectErrorPage(await authorize(whole, method), 400);
  });

  test.each([
    ["plain parameters", () => `client_id=${agent.id}&response_type=code`],
    ["plain parameters without client_id", () => "response_type=code"],
    ["a request object (RFC 9101)", () => `client_id=${agent.id}&request=e30.e30.`],
    ["a request_uri that is an https URL", () => pair("https://client.example/request")],
  ])(
    "%s: explains that the request must be pushed (RFC 9126), with a link to the documentation",
    async (_name, query) => {
      const answer = await authorize(query(), method);
      expectErrorPage(answer, 400);
      expect(answer.text).toContain("must be pushed first (RFC 9126)");
      expect(answer.text).toContain(`href="${sandboxUrl}/docs"`);
    },
  );

  test("doesn't explain PAR for an unknown request_uri", async () => {
    const answer = await authorize(pair("urn:ietf:params:oauth:request_uri:unknown"), method);
    expect(answer.text).toContain("unknown, expired or already completed");
    expect(answer.text).not.toContain("/docs");
  });

  test("checks client_id and request_uri before sign-in, with the same response for signed-in payers (docs/spec/oauth.md, Authorization endpoint)", async () => {
    const query = pair(await push(), other.id);
    expectErrorPage(await authorize(query, method), 400);
    expectErrorPage(await authorize(query, method, { cookie: await signIn(sandboxUrl) }), 400);
  });

  test("redirects with 303 to the consent page each time until completion, and ignores other parameters", async () => {
    const query = `${pair(await push())}&state=other&redirect_uri=https%3A%2F%2Fevil.example&response_mode=fragment`;
    const [one, two] = [await authorize(query, method), await authorize(query, method)];
    expect([one.status, two.status]).toEqual([303, 303]);
    expect(one.headers.get("location")).toMatch(new RegExp(`^${sandboxUrl}/consent/[\\w-]{43,}$`));
    expect(two.headers.get("location")).toBe(one.headers.get("location"));
    expect(one.headers.get("cache-control")).toBe("no-store");
  });

  test("never gives consent without the payer, whatever parameters are sent (docs/spec/oauth.md, Authorization endpoint)", async () => {
    const requestUri = await push();
    const cookie = await signIn(sandboxUrl);
    const query = `${pair(requestUri)}&decision=approve&form_token=x&payment_method_id=x`;
    const opened = await authorize(query, method, { cookie, origin: sandboxUrl });
    expect(opened.headers.get("location")).toContain("/consent/");
    expect((await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie)).formToken).not.toBe("");
  });
});

describe("the lifetime of a pushed request (docs/spec/oauth.md, Authorization endpoint)", () => {
  const minutes = 60;
  const opened = async () => {
    const requestUri = await push();
    const cookie = await signIn(sandboxUrl);
    return { requestUri, cookie, page: await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie) };
  };

  test("an opened request can be completed and reopened for 15 minutes", async () => {
    const { requestUri, cookie, page } = await opened();
    await age("requestUri", requestUri, 14.5 * minutes);
    expect((await authorize(pair(requestUri), "GET")).headers.get("location")).toBe(page.url);
    expect((await decide(page, cookie, { decision: "approve" })).headers.get("location")).toContain("code=");
  });

  test("an opened request can't be opened again or completed after 15 minutes", async () => {
    const { requestUri, cookie, page } = await opened();
    await age("requestUri", requestUri, 15 * minutes);
    expectErrorPage(await authorize(pair(requestUri), "GET"), 400);
    expect((await decide(page, cookie, { decision: "approve" })).headers.get("location")).toContain(
      "error=consent_gone",
    );
  });

  test("a completed request can't be opened again", async () => {
    const { requestUri, cookie, page } = await opened();
    await decide(page, cookie, { decision: "decline" });
    expectErrorPage(await authorize(pair(requestUri), "GET"), 400);
    expect((await decide(page, cookie, { decision: "approve" })).headers.get("location")).toContain(
      "error=consent_gone",
    );
  });
});

test("every request requires consent, even after an earlier approval (docs/spec/oauth.md, Authorization endpoint)", async () => {
  const cookie = await signIn(sandboxUrl);
  for (let round = 0; round < 2; round++) {
    const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri: await push() }, cookie);
    expect((await decide(page, cookie, { decision: "approve" })).headers.get("location")).toContain("code=");
  }
});
