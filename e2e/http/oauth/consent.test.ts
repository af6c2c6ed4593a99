import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorPage } from "../../support/answers/error-shape.ts";
import { postForm, send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { decide, openConsent, signIn } from "../../support/oauth/consent-driver.ts";
import { type FapiClient, push, registerPair } from "../../support/oauth/fapi-clients.ts";
import { codeForm, mandateDetails, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { postAs, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let client: FapiClient;
beforeAll(async () => {
  [client] = await registerPair(sandboxUrl);
});

const open = async () => {
  const cookie = await signIn(sandboxUrl);
  const { requestUri } = await push(client);
  return { cookie, page: await openConsent(sandboxUrl, { clientId: client.id, requestUri }, cookie) };
};

describe("the consent page (docs/spec/oauth.md, Authorization endpoint)", () => {
  test("opens only for a signed-in payer", async () => {
    const { page } = await open();
    const stranger = await send(page.url);
    expect([303, 307]).toContain(stranger.status);
    expect(stranger.headers.get("location")).toContain("/sign-in?return_to=");
  });

  const staysUndecided = async (page: { url: string }, answer: { status: number; headers: Headers }) => {
    expect(answer.headers.get("location") ?? "").not.toContain("code=");
    expect((await send(page.url, { headers: { cookie: await signIn(sandboxUrl) } })).status).toBe(200);
  };

  test("refuses a decision without the page's token", async () => {
    const { page, cookie } = await open();
    for (const formToken of ["", "made-up", page.formToken.slice(0, -2)]) {
      const answer = await decide({ ...page, formToken }, cookie, { decision: "approve" });
      expect(answer.headers.get("location")).toContain("error=consent_stale");
      await staysUndecided(page, answer);
    }
  });

  test("refuses a decision with the token of another request", async () => {
    const [one, another] = [await open(), await open()];
    const answer = await decide({ ...one.page, formToken: another.page.formToken }, one.cookie, {
      decision: "approve",
    });
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

  test("redirects a decision without a session to the sign-in and decides nothing", async () => {
    const { page } = await open();
    const answer = await decide(page, "", { decision: "approve" });
    expect(answer.headers.get("location")).toContain("/sign-in?");
    await staysUndecided(page, answer);
  });

  test("refuses a widened limit and shows the error next to its field", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, { decision: "approve", m0_max_total_amount: "99999.00" });
    const { searchParams } = new URL(answer.headers.get("location") ?? "");
    expect(searchParams.get("field")).toBe("/mandates/0/max_total_amount");
    await staysUndecided(page, answer);
  });

  test("reads an entered limit in the payer's locale, even without JavaScript, and refuses an ambiguous amount", async () => {
    const agent = await registerAgent(sandboxUrl);
    const merchant = await registerMerchant(sandboxUrl);
    const dpop = await makeKey();
    const limits = { currency: "KWD", max_amount_per_payment: 2_000_000, max_total_amount: 5_000_000 };
    const { form, verifier } = pushFields([mandateDetails(merchant.merchantId, limits)]);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form, dpop }), "request_uri");
    const cookie = await signIn(sandboxUrl);
    const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie);
    for (const text of ["1,250", "1.2345", "12,34.5", "1O", "0"]) {
      const answer = await decide(page, cookie, { decision: "approve", m0_max_total_amount: text });
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      expect([text, searchParams.get("error"), searchParams.get("field")]).toEqual([
        text,
        "malformed_limit",
        "/mandates/0/max_total_amount",
      ]);
    }
    const typed = { m0_max_total_amount: "1,250.000", m0_max_amount_per_payment: "1.250" };
    const answer = await decide(page, cookie, { decision: "approve", ...typed });
    const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const granted = await postAs(agent, "/oauth/token", { form: codeForm({ code, verifier }), dpop });
    expect(granted.json).toMatchObject({
      authorization_details: [{ max_total_amount: 1_250_000, max_amount_per_payment: 1_250 }],
    });
  });

  test("repeats the redirect if the same form is sent again, and refuses a different form for the request", async () => {
    const { page, cookie } = await open();
    const [first, second] = await Promise.all([
      decide(page, cookie, { decision: "approve" }),
      decide(page, cookie, { decision: "approve" }),
    ]);
    expect(first.status).toBe(303);
    expect(first.headers.get("location")).toContain("code=");
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    const other = await decide(page, cookie, { decision: "approve", m0_max_total_amount: "1" });
    expect(other.headers.get("location")).toContain("error=consent_gone");
  });

  test("shows the entered values again after a refused decision, and marks the invalid field", async () => {
    const { page, cookie } = await open();
    const typed = { m0_max_amount_per_payment: "1O", m0_max_total_amount: "12.00", budget_visible: "on" };
    const answer = await decide(page, cookie, { decision: "approve", ...typed });
    const again = await send(answer.headers.get("location") ?? "", { headers: { cookie, accept: "text/html" } });
    const inputs = again.text.match(/<input\b[^>]*>/g) ?? [];
    const inputOf = (name: string) => inputs.find((input) => input.includes(`name="${name}"`)) ?? "";
    expect(inputOf("m0_max_amount_per_payment")).toMatch(/(?=.*value="1O")(?=.*aria-invalid="true")(?=.*autofocus)/i);
    expect(inputOf("m0_max_total_amount")).toContain('value="12.00"');
    expect(inputOf("budget_visible")).toMatch(/ checked(=|\s|\/|>)/);
    await staysUndecided(page, answer);
  });

  test("authorize, sign-in, consent and decision keep a popup's opener; other pages don't (HTML §7.1.3)", async () => {
    const { page, cookie } = await open();
    const { requestUri } = await push(client);
    const query = new URLSearchParams({ client_id: client.id, request_uri: requestUri });
    const opener = ({ headers }: { headers: Headers }) => headers.get("cross-origin-opener-policy");
    const pages = [
      await send(`${sandboxUrl}/oauth/authorize?${query}`),
      await send(`${sandboxUrl}/oauth/authorize`),
      await send(page.url),
      await send(page.url, { headers: { cookie } }),
      await send(`${sandboxUrl}/sign-in`),
      await postForm(`${sandboxUrl}/sign-in/session`, {}, { origin: sandboxUrl }),
      await decide({ ...page, formToken: "" }, cookie, { decision: "approve" }),
      await decide(page, cookie, { decision: "decline" }),
    ];
    expect(pages.map(opener)).toEqual(pages.map(() => null));
    for (const { headers } of pages) {
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
    expect(opener(await send(`${sandboxUrl}/wallet`, { headers: { cookie } }))).toBe("same-origin");
  });

  /** A form as large as one that lists hundreds of merchants. */
  const filled = (kibibytes: number) => ({ filler: "f".repeat(kibibytes * 1024) });

  test("accepts a form with a few hundred merchants", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, { decision: "approve", ...filled(250) });
    expect(answer.headers.get("location")).toContain("code=");
  });

  test("responds with 413 to a form over 256 KiB and decides nothing", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, { decision: "approve", ...filled(257) });
    expectErrorPage(answer, 413);
    await staysUndecided(page, answer);
  });
});
