import { expect, expectGoodLooks } from "../fixtures.ts";
import { test } from "../operator/operator-fixtures.ts";

// docs/spec/portal.md, Pages: the frame of the three portals.

const phone = { width: 390, height: 844 };

test("on a phone, the navigation is one row that opens a menu; it works with the keyboard", async ({
  console: page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/operator/merchants");
  const header = page.getByRole("banner");
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(72);
  const menu = page.getByRole("navigation", { name: "Operator" });
  await expect(menu).toBeHidden();
  const button = page.getByRole("button", { name: "Menu Merchants" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await expect(menu.getByRole("link", { name: "Merchants" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await menu.getByRole("link", { name: "Jobs" }).click();
  await expect(page).toHaveURL(/\/operator\/jobs$/);
  await expect(menu).toBeHidden();
  await expect(page.getByRole("button", { name: "Menu Jobs" })).toBeVisible();
  await page.getByRole("button", { name: "Menu Jobs" }).click();
  if (process.env["LOOKS"] === "all") await page.screenshot({ path: "test-results/looks/menu-390.png" });
});

test("on a phone, the header covers neither the target of a link nor the focused element", async ({
  console: page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/wallet/security#sessions");
  const bottom = (await page.getByRole("banner").boundingBox())?.height ?? 0;
  const heading = page.getByRole("heading", { name: "Sessions" });
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(bottom);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Shift+Tab");
    const top = await page.evaluate(() => {
      const focused = document.activeElement?.closest("main") ? document.activeElement : null;
      return focused?.getBoundingClientRect().y ?? null;
    });
    if (top !== null) expect(top).toBeGreaterThanOrEqual(bottom);
  }
});

test("on a low screen, the list of links scrolls alone, and the account stays visible", async ({
  productionConsole: page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/operator");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeInViewport({ ratio: 1 });
  const menu = page.getByRole("navigation", { name: "Operator" });
  const last = menu.getByRole("link").last();
  await expect(last).not.toBeInViewport();
  await last.focus();
  await expect(last).toBeInViewport({ ratio: 1 });
  // The fade at the lower edge doesn't cover the focused link (WCAG 2.2, 2.4.11).
  const box = await last.boundingBox();
  const list = await menu.boundingBox();
  const fade = await menu.evaluate((nav) => Number.parseFloat(getComputedStyle(nav, "::after").height));
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0) - fade);
});

test("the menu opens without JavaScript", async ({ browser, signInAnother, sandboxUrl }) => {
  const context = await browser.newContext({ baseURL: sandboxUrl, viewport: phone, javaScriptEnabled: false });
  await signInAnother(context);
  const page = await context.newPage();
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Menu Home" }).click();
  await page.getByRole("navigation", { name: "Wallet" }).getByRole("link", { name: "Mandates" }).click();
  await expect(page).toHaveURL(/\/wallet\/mandates$/);
  await context.close();
});

test("while a page loads, a navigation link shows the page's skeleton, and any other link shows a progress bar", async ({
  console: page,
}) => {
  await page.goto("/operator/payers?q=e");
  let release = () => {};
  const hold = async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/[?&]_rsc=/, async (route) => {
      await held;
      await route.continue();
    });
  };
  const heading = page.getByRole("heading", { name: "Payers", level: 1 });
  const bar = () =>
    page.evaluate(() => {
      const shell = document.querySelector("[data-account]");
      return shell ? getComputedStyle(shell, "::before").position : null;
    });
  await hold();
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await expect.poll(bar).toBe("fixed");
  await expect(heading).toBeVisible();
  release();
  await expect(page).toHaveURL(/\/operator\/payers$/);
  await expect.poll(bar).toBe("static");

  await page.unrouteAll({ behavior: "wait" });
  await hold();
  await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name: "Jobs" }).click();
  await expect(heading).toBeHidden();
  release();
  await expect(page.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
});

test("an unknown path or id of a portal is a 404 with the portal's navigation", async ({ console: page }) => {
  for (const path of ["/wallet/nowhere", "/operator/nowhere/at/all", "/operator/merchants/mch_unknown"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found", level: 1 }), path).toBeVisible();
    const portal = path.startsWith("/wallet") ? "Wallet" : "Operator";
    await expect(page.getByRole("navigation", { name: portal })).toBeVisible();
    await expect(page, path).toHaveTitle(`Page not found · ${portal} · Paygrant`);
  }
  await expectGoodLooks(page, "operator-not-found");
});

test("a visitor gets a 404 with the portal's navigation at an unknown path", async ({ page }) => {
  for (const portal of ["Wallet", "Merchant", "Operator"]) {
    const answer = await page.goto(`/${portal.toLowerCase()}/nowhere`);
    expect(answer?.status(), portal).toBe(404);
    await expect(page.getByRole("navigation", { name: portal })).toBeVisible();
  }
});

test("each portal's pages have titles with the object and the portal", async ({ console: page }) => {
  for (const [path, title] of [
    ["/wallet", "Home · Wallet · Paygrant"],
    ["/wallet/mandates", "Mandates · Wallet · Paygrant"],
    ["/operator", "Home · Operator · Paygrant"],
    ["/operator/charges", "Charges · Operator · Paygrant"],
    ["/operator/charges?show=review", "Charges needing review · Operator · Paygrant"],
    ["/operator/disputes", "Disputes · Operator · Paygrant"],
    ["/operator/mandates", "Mandates · Operator · Paygrant"],
    ["/operator/payers", "Payers · Operator · Paygrant"],
    ["/operator/merchants", "Merchants · Operator · Paygrant"],
    ["/operator/clients", "Clients · Operator · Paygrant"],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
  }
});

test("icons and the manifest are served", async ({ request }) => {
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/icon.svg", "image/svg+xml"],
    ["/apple-icon.png", "image/png"],
    ["/manifest.webmanifest", "application/manifest+json"],
  ] as const) {
    const answer = await request.get(path);
    expect([path, answer.status(), answer.headers()["content-type"]]).toEqual([path, 200, type]);
  }
  expect((await (await request.get("/favicon.ico")).body()).readUInt16LE(4)).toBe(3);
});
