import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorPage, expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postForm, send, textOf } from "../../../support/answers/wire.ts";
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
const registered = ["https://bot.example/cb?fixed=1", redirectUri];

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([
    registerAgent(sandboxUrl, { metadata: { redirect_uris: registered } }),
    registerMerchant(sandboxUrl),
  ]);
});

const push = (fields: Record<string, string> = {}) =>
  postAs(agent, "/oauth/par", { form: pushFields([mandateDetails(merchant.merchantId)], fields).form });

const open = async () => {
  const cookie = await signIn(sandboxUrl);
  const requestUri = textOf(await push(), "request_uri");
  return { cookie, requestUri, page: await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie) };
};

const query = (requestUri: string) => ({ client_id: agent.id, request_uri: requestUri });
const authorize = (requestUri: string, headers: Record<string, string> = {}) =>
  send(`${sandboxUrl}/oauth/authorize?${new URLSearchParams(query(requestUri))}`, { headers });

describe("RFC 9700 §2.1, §4.1.3: compares redirect_uri as raw strings", () => {
  test.each([
    "https://bot.example/cb",
    "https://bot.example/cb?fixed=1&more=2",
    "https://bot.example/cb?fixed=1&",
    "https://bot.example/cb?fixed=%31",
    "https://bot.example/cb/?fixed=1",
    "https://bot.example/CB?fixed=1",
    "https://bot.example/cb?fixed=1#",
    "https://bot.example/cb?fixed=1 ",
    "https://bot.example/cb?fixed=1%00",
    "HTTPS://bot.example/cb?fixed=1",
    "http://bot.example/cb?fixed=1",
    "https://BOT.example/cb?fixed=1",
    "https://bot.example.:443/cb?fixed=1",
    "https://bot.example:443/cb?fixed=1",
    "https://bot.example/x/../cb?fixed=1",
    "https://bot.example//cb?fixed=1",
    "https://bot.example\\cb?fixed=1",
    "https://bot.example/%63b?fixed=1",
    "https://bot.example@evil.example/cb?fixed=1",
    "https://evil.example/cb?fixed=1",
    "https://evil.example/https://bot.example/cb?fixed=1",
    "https://sub.bot.example/cb?fixed=1",
    "//bot.example/cb?fixed=1",
    "/cb?fixed=1",
    "javascript:alert(1)",
  ])("refuses %s", async (redirect_uri) => {
    expectOAuthError(await push({ redirect_uri }), 400, "invalid_request");
  });

  test.each(registered)("accepts %s", async (redirect_uri) => {
    expect((await push({ redirect_uri })).status).toBe(201);
  });
});

describe("RFC 9700 §4.12: redirects after a form with 303, never 307 or 308, which would resend the form", () => {
  test("from /oauth/authorize, by GET and POST", async () => {
    const requestUri = textOf(await push(), "request_uri");
    const posted = await postForm(`${sandboxUrl}/oauth/authorize`, query(requestUri));
    expect([(await authorize(requestUri)).status, posted.status]).toEqual([303, 303]);
  });

  test.each(["approve", "decline"] as const)("from the consent page to the client: %s", async (decision) => {
    const { page, cookie } = await open();
    expect((await decide(page, cookie, { decision })).status).toBe(303);
  });

  test("from a refused decision back to the page, and without a session to the sign-in", async () => {
    const { page, cookie } = await open();
    expect((await decide({ ...page, formToken: "x" }, cookie, { decision: "approve" })).status).toBe(303);
    expect((await decide(page, "", { decision: "approve" })).status).toBe(303);
  });

  test("from the sign-in, for a right or a wrong password", async () => {
    const fields = { email: "payer@demo.paygrant.test", return_to: "/wallet" };
    for (const password of ["paygrant-demo", "wrong"]) {
      const sent = { ...fields, password };
      expect((await postForm(`${sandboxUrl}/sign-in/session`, sent, { origin: sandboxUrl })).status).toBe(303);
    }
  });
});

describe("RFC 9700 §4.11: never redirects to an unregistered address", () => {
  test("an error page never redirects, whatever redirect_uri is sent", async () => {
    for (const evil of ["https://evil.example", ...registered]) {
      const parameters = new URLSearchParams({ client_id: agent.id, request_uri: "urn:x", redirect_uri: evil });
      const answer = await send(`${sandboxUrl}/oauth/authorize?${parameters}`);
      expectErrorPage(answer, 400);
      expect(answer.text).not.toContain(evil);
    }
  });

  test.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "\t//evil.example",
    "javascript:alert(1)",
    "https:evil.example",
  ])("the sign-in doesn't return to %j", async (return_to) => {
    const fields = { email: "payer@demo.paygrant.test", password: "paygrant-demo", return_to };
    const answer = await postForm(`${sandboxUrl}/sign-in/session`, fields, { origin: sandboxUrl });
    const location = new URL(answer.headers.get("location") ?? "", sandboxUrl);
    expect(location.origin).toBe(sandboxUrl);
  });
});

describe("RFC 9700 §4.2.4, §4.16: nothing leaks through Referer, frames or other origins", () => {
  test("from the consent page and each response before and after it", async () => {
    const { page, cookie, requestUri } = await open();
    const answers = [
      await authorize(requestUri, { origin: "https://evil.example" }),
      await send(page.url, { headers: { cookie, origin: "https://evil.example" } }),
      await authorize("urn:x", { origin: "https://evil.example" }),
      await decide(page, cookie, { decision: "approve" }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toMatch(/no-store/);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|origin)$/);
    }
  });

  test("a preflight from another origin allows nothing (docs/spec/oauth.md, Authorization endpoint)", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const answer = await send(`${sandboxUrl}/oauth/authorize`, { method: "OPTIONS", headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
