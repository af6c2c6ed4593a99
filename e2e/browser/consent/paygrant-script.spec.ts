import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { pushConsentRequestFor } from "./consent-request.ts";
import { openShopSites, type ShopSites } from "./shop-sites.ts";

// paygrant.js on pages of another origin, under a strict policy (docs/spec/assets.md, The consent script).

let sites: ShopSites;
test.beforeAll(async ({ baseURL }) => {
  sites = await openShopSites(`${baseURL}/cdn`);
});
test.afterAll(() => sites.close());

/** The attributes of a button for a new request. */
const pushRequest = async (sandboxUrl: string): Promise<Record<string, string>> => {
  const { url } = await pushConsentRequestFor(sandboxUrl, `${sites.origin}/callback`, { fields: { state: "cart-7" } });
  const query = new URL(url).searchParams;
  return { "client-id": query.get("client_id") ?? "", "request-uri": query.get("request_uri") ?? "" };
};

/** Collects what the shop's policy blocks, and errors of its scripts. */
const problemsOf = (page: Page): string[] => {
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return problems;
};

type Received = { results: unknown[]; messages: unknown[] };
type Shop = { page: Page; problems: string[]; received: () => Promise<Received> };

/** Opens the shop and records the results of its button, and every message that it receives. */
const openShop = async (page: Page, button: Record<string, string>, origin = sites.origin): Promise<Shop> => {
  const problems = problemsOf(page);
  await page.goto(origin + sites.shopPath(button));
  await page.evaluate(() => {
    const received = { results: [] as unknown[], messages: [] as unknown[] };
    Object.assign(window, { received });
    window.addEventListener("message", ({ data }) => received.messages.push(data));
    document.addEventListener("paygrant-result", (event) => received.results.push((event as CustomEvent).detail));
  });
  return { page, problems, received: () => page.evaluate(() => Reflect.get(window, "received") as Received) };
};

const openPopup = async ({ page }: Shop): Promise<Page> => {
  const opens = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Continue with Paygrant" }).click();
  return opens;
};

const expectResult = ({ received }: Shop, result: object): Promise<void> =>
  expect.poll(async () => (await received()).results).toEqual([result]);

test("popup: the payer signs in and approves, the shop receives the code, and the popup closes", async ({
  page,
  payer,
  sandboxUrl,
}) => {
  const shop = await openShop(page, await pushRequest(sandboxUrl));
  const popup = await openPopup(shop);
  await popup.getByLabel("E-mail").fill(payer.email);
  await popup.getByLabel("Password").fill(payer.password);
  await popup.getByRole("button", { name: "Sign in", exact: true }).click();
  const closes = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Approve" }).click();
  await closes;
  await expectResult(shop, { status: "approved", code: expect.any(String), state: "cart-7", iss: sandboxUrl });
  expect(shop.problems).toEqual([]);
});

test("the status badge shows the state in words, with a link to the status page", async ({ page }) => {
  const { problems } = await openShop(page, {});
  const badge = page.getByRole("link", { name: /^Authorization server [A-Z][a-z]+/ });
  await expect(badge).toHaveAttribute("href", process.env["E2E_STATUS_URL"] ?? "");
  await expect(page.getByRole("button", { name: "Continue with Paygrant" })).toBeDisabled();
  expect(problems).toEqual([]);
});

test("redirect: the payer approves, and the callback page's address has the code", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const shop = await openShop(page, { ...(await pushRequest(sandboxUrl)), mode: "redirect" });
  await page.getByRole("button", { name: "Continue with Paygrant" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL((url) => url.origin === sites.origin && url.pathname === "/callback");
  const answer = new URL(page.url()).searchParams;
  expect([answer.get("state"), answer.get("iss")]).toEqual(["cart-7", sandboxUrl]);
  expect(answer.get("code")).toBeTruthy();
  expect(shop.problems).toEqual([]);
});

test("the shop is notified if the popup was closed or the request was declined; messages of other windows and issuers are ignored", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const button = await pushRequest(sandboxUrl);
  const shop = await openShop(page, button);
  const response = { type: "paygrant-response", code: "stolen", state: "cart-7", error: null, iss: sandboxUrl };
  const wrongIssuer = await openPopup(shop);
  await page.evaluate((message) => window.postMessage(message, "*"), response);
  // A navigation by the test, not by the page, would separate the popup from its opener.
  await wrongIssuer.evaluate(
    (address) => location.assign(address),
    `${sites.origin}/callback?code=c&iss=https://evil.example`,
  );
  await expectResult(shop, { status: "closed" });
  expect((await shop.received()).messages).toEqual([
    response,
    { ...response, code: "c", state: null, iss: "https://evil.example" },
  ]);
  const declined = await openShop(page, button);
  const popup = await openPopup(declined);
  await popup.getByRole("button", { name: "Decline" }).click();
  await expectResult(declined, { status: "declined" });
});

test("a wrong opener gets nothing: only the callback's own origin receives the code", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const other = await openShop(page, await pushRequest(sandboxUrl), sites.otherOrigin);
  const popup = await openPopup(other);
  await popup.getByRole("button", { name: "Approve" }).click();
  await expectResult(other, { status: "closed" });
  expect((await other.received()).messages).toEqual([]);
});

test("a popup that stays open times out; if the popup is blocked, the script redirects the page or returns the status blocked", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const button = await pushRequest(sandboxUrl);
  const shop = await openShop(page, button);
  const start = (options: object) =>
    page.evaluate(
      (given) => (Reflect.get(window, "Paygrant") as { startConsent(o: object): Promise<unknown> }).startConsent(given),
      { requestUri: button["request-uri"], clientId: button["client-id"], ...options },
    );
  expect(await start({ timeoutMs: 300 })).toEqual({ status: "timed_out" });
  await page.evaluate(() => Object.assign(window, { open: () => null }));
  expect(await start({ fallback: "none" })).toEqual({ status: "blocked" });
  await page.getByRole("button", { name: "Continue with Paygrant" }).click();
  await expect(page.getByRole("heading", { name: "Let Grocer Bot pay for you?" })).toBeVisible();
  expect(shop.problems).toEqual([]);
});
