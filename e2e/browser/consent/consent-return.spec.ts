import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, test } from "../fixtures.ts";
import { type ClientSites, openClientSites, shopDomain } from "./client-sites.ts";
import { pushConsentRequestFor } from "./consent-request.ts";

test.use({ ignoreHTTPSErrors: true });

const back = (page: Page) => page.getByRole("heading", { name: "Back at the agent" });

/** Collects what our content security policy blocks. */
const violationsOf = (page: Page): string[] => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
};

type Ports = ClientSites["ports"];
const returns: readonly {
  name: string;
  redirectUri: (ports: Ports) => string;
  next?: (ports: Ports) => string;
}[] = [
  { name: "[::1]", redirectUri: ({ plain }) => `http://[::1]:${plain}/callback` },
  {
    name: "a host name with an underscore",
    redirectUri: ({ secure }) => `https://my_shop.${shopDomain}:${secure}/callback`,
  },
  {
    name: "a callback that redirects to another port",
    redirectUri: ({ plain }) => `http://127.0.0.1:${plain}/callback`,
    next: ({ other }) => `http://127.0.0.1:${other}/thanks`,
  },
  {
    name: "a callback that redirects to localhost",
    redirectUri: ({ plain }) => `http://127.0.0.1:${plain}/callback`,
    next: ({ other }) => `http://localhost:${other}/thanks`,
  },
  {
    name: "a callback that redirects to another host name",
    redirectUri: ({ secure }) => `https://api.${shopDomain}:${secure}/callback`,
    next: ({ secure }) => `https://www.${shopDomain}:${secure}/thanks`,
  },
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the return to the client, ${javaScriptEnabled ? "with" : "without"} JavaScript (docs/spec/oauth.md, Authorization endpoint)`, () => {
    test.use({ javaScriptEnabled });

    for (const { name, redirectUri, next } of returns) {
      test(`${name}: Approve and Decline return to the client`, async ({ signedIn: page, sandboxUrl }) => {
        const sites = await openClientSites(() => next?.(sites.ports) ?? null);
        const violations = violationsOf(page);
        for (const [button, parameter] of [
          ["Approve", "code"],
          ["Decline", "error"],
        ] as const) {
          const { url } = await pushConsentRequestFor(sandboxUrl, redirectUri(sites.ports));
          await page.goto(url);
          await page.getByRole("button", { name: button }).click();
          await expect(back(page)).toBeVisible();
          expect(sites.arrivals.at(-1)?.get(parameter)).toBeTruthy();
          expect(sites.arrivals.at(-1)?.get("iss")).toBe(sandboxUrl);
        }
        expect(violations).toEqual([]);
        sites.close();
      });
    }
  });
}

test("a callback may redirect to an app's scheme, and a second press of Approve returns the same code", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const sites = await openClientSites(() => "myapp://done");
  const violations = violationsOf(page);
  const { url } = await pushConsentRequestFor(sandboxUrl, `http://127.0.0.1:${sites.ports.plain}/callback`);
  await page.goto(url);
  const schemes: string[] = [];
  page.on("request", (request) => schemes.push(new URL(request.url()).protocol));
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.click();
  await expect.poll(() => sites.arrivals.length).toBe(1);
  await expect.poll(() => schemes).toContain("myapp:");
  // Chromium asks whether an app may open. Until this question is answered, Chromium stays on the page and blocks
  // clicks.
  await expect(async () => {
    await approve.evaluate((button: HTMLButtonElement) => button.form?.requestSubmit(button));
    expect(sites.arrivals.length).toBeGreaterThan(1);
  }).toPass();
  expect(new Set(sites.arrivals.map((query) => query.get("code"))).size).toBe(1);
  expect(violations).toEqual([]);
  sites.close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the sign-in form redirects to another origin, and the sign-out form to the landing page", async ({
    page,
    payer,
    sandboxUrl,
  }) => {
    const violations = violationsOf(page);
    await page.goto("/sign-in?return_to=/status");
    await page.getByLabel("E-mail").fill(payer.email);
    await page.getByLabel("Password").fill(payer.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(/^(?!.*sign-in).*\/status/);
    expect(new URL(page.url()).origin).not.toBe(sandboxUrl);
    await page.goto("/wallet");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${sandboxUrl}/`);
    expect(violations).toEqual([]);
  });

  test("two presses of Approve return the same code (docs/spec/oauth.md, Authorization endpoint)", async ({
    signedIn: page,
    sandboxUrl,
  }) => {
    const sites = await openClientSites();
    const { url } = await pushConsentRequestFor(sandboxUrl, `http://127.0.0.1:${sites.ports.plain}/slow-callback`);
    await page.goto(url);
    const approve = page.getByRole("button", { name: "Approve" });
    await approve.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await approve.boundingBox()) ?? {};
    // Uses the mouse, because a locator waits until the navigation of the first click ends.
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    await press();
    await expect.poll(() => sites.arrivals.length).toBe(1);
    await press();
    await expect(back(page)).toBeVisible();
    expect(sites.arrivals).toHaveLength(2);
    expect(sites.arrivals[0]?.get("code")).toBeTruthy();
    expect(String(sites.arrivals[1])).toBe(String(sites.arrivals[0]));
    sites.close();
  });
});

for (const { button, title, parameter } of [
  { button: "Approve", title: "You approved this request", parameter: "code" },
  { button: "Decline", title: "You declined this request", parameter: "error" },
]) {
  test(`Back after ${button} shows the decision and a link to the client (docs/spec/portal.md, Consent)`, async ({
    signedIn: page,
    sandboxUrl,
  }) => {
    const sites = await openClientSites();
    const { url } = await pushConsentRequestFor(sandboxUrl, `http://127.0.0.1:${sites.ports.plain}/callback`);
    await page.goto(url);
    await page.getByRole("button", { name: button }).click();
    await expect(back(page)).toBeVisible();
    await page.goBack();
    // The browser's back/forward cache may show the form again; a reload never does.
    await page.reload();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Paygrant`);
    await expectGoodLooks(page, `consent-${parameter}`);
    await page.getByRole("link", { name: `Return to 127.0.0.1:${sites.ports.plain}` }).click();
    await expect(back(page)).toBeVisible();
    expect(sites.arrivals.map((query) => query.get(parameter))).toEqual(Array(2).fill(expect.stringMatching(/./)));
    expect(String(sites.arrivals[1])).toBe(String(sites.arrivals[0]));
    sites.close();
  });
}

test("a popup keeps its opener through sign-in, consent and decision, so the shop receives the answer", async ({
  page: shop,
  payer,
  sandboxUrl,
}) => {
  const sites = await openClientSites();
  const { url } = await pushConsentRequestFor(sandboxUrl, `http://127.0.0.1:${sites.ports.plain}/callback`);
  await shop.goto(`http://www.${shopDomain}:${sites.ports.other}/shop`);
  const popupOpens = shop.waitForEvent("popup");
  await shop.evaluate((address) => {
    const message = new Promise((resolve) => window.addEventListener("message", ({ data }) => resolve(data)));
    Object.assign(window, { message, popup: window.open(address, "pay", "width=500,height=800") });
  }, url);
  const popup = await popupOpens;
  const isClosed = () => shop.evaluate(() => (Reflect.get(window, "popup") as Window | null)?.closed ?? true);
  await popup.getByLabel("E-mail").fill(payer.email);
  expect(await isClosed()).toBe(false);
  await popup.getByLabel("Password").fill(payer.password);
  await popup.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(popup.getByRole("heading", { name: "Let Grocer Bot pay for you?" })).toBeVisible();
  expect(await isClosed()).toBe(false);
  await popup.getByRole("button", { name: "Approve" }).click();
  await expect(back(popup)).toBeVisible();
  expect(await shop.evaluate(() => Reflect.get(window, "message"))).toBe(`?${sites.arrivals[0]}`);
  expect(await isClosed()).toBe(false);
  sites.close();
});
