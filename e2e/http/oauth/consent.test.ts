import { beforeAll, describe, expect, test } from "vitest";
import { decide, openConsent, signIn } from "../../support/consent-driver.ts";
import { expectErrorPage } from "../../support/error-shape.ts";
import { type FapiClient, push, registerPair } from "../../support/fapi-clients.ts";
import { currentInstance } from "../../support/instance.ts";
import { postForm, send } from "../../support/wire.ts";

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

describe("the consent page (1-oauth, Authorize)", () => {
  test("shows itself only to who signed in", async () => {
    const { page } = await open();
    const stranger = await send(page.url);
    expect([303, 307]).toContain(stranger.status);
    expect(stranger.headers.get("location")).toContain("/sign-in?return_to=");
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

  /** As large as the form of a page that names hundreds of merchants. */
  const filled = (kibibytes: number) => ({ filler: "f".repeat(kibibytes * 1024) });

  test("a form of a few hundred merchants decides", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, "approve", filled(250));
    expect(answer.headers.get("location")).toContain("code=");
  });

  test("one of more than 256 KiB is 413, and decides nothing", async () => {
    const { page, cookie } = await open();
    const answer = await decide(page, cookie, "approve", filled(257));
    expectErrorPage(answer, 413);
    await staysUndecided(page, answer);
  });
});
