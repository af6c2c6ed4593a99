import type { Page } from "@playwright/test";
import { expect, query, setLook, untilHydrated, usualLooks } from "../fixtures.ts";
import { fixedDate, test } from "./demo-service.ts";

// The 14 main pages, compared with e2e/browser/pages/images. After an intended change:
// `npm run browser -- pages/baselines --update-snapshots`, then look at each changed image.

const idOf = async (text: string): Promise<string> => {
  const { rows } = await query((client) => client.query(text));
  return rows[0].id;
};

/** Ids, keys and ports differ in each run, so a constant text replaces them. */
const hideRandomTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? "";
      const constant = text
        .replace(/\b([a-z]{2,5}_)[\w-]{16,}/g, "$1…")
        .replace(/\b(localhost|127\.0\.0\.1):\d+/g, "$1");
      if (constant !== text) node.textContent = constant;
    }
  });

/** Each width and each theme once. */
const expectBaseline = async (page: Page, name: string): Promise<void> => {
  for (const [width, theme] of usualLooks) {
    await setLook(page, [width, theme]);
    await hideRandomTexts(page);
    await expect.soft(page).toHaveScreenshot(`${name}-${width}-${theme}.png`, { fullPage: true });
  }
};

test.beforeEach(({ page }) => page.clock.setFixedTime(fixedDate));

test("public pages look as before", async ({ page, addressOf }) => {
  for (const [name, address] of [
    ["landing", "/"],
    ["sign-in", "/sign-in"],
    ["sign-up", "/sign-up"],
  ] as const) {
    await page.goto(addressOf("sandbox") + address);
    await expectBaseline(page, name);
  }
  await page.goto(addressOf("status"));
  await expectBaseline(page, "status");
});

test("the consent page and the wallet look as before", async ({ page, addressOf, signInAs }) => {
  await signInAs("payer", "sandbox");
  const mandateId = await idOf("SELECT id FROM mandate WHERE state = 'active'");
  for (const [name, address] of [
    ["wallet", "/wallet"],
    ["wallet-mandate", `/wallet/mandates/${mandateId}`],
    ["wallet-activity", "/wallet/activity"],
    ["wallet-payment-methods", "/wallet/payment-methods"],
  ] as const) {
    await page.goto(addressOf("sandbox") + address);
    await expectBaseline(page, name);
  }
  await page.goto(`${addressOf("sandbox")}/demo`);
  await page.getByRole("button", { name: "Register both" }).click();
  await page.getByRole("button", { name: "Push the request" }).click();
  await page.getByRole("button", { name: "Review the request" }).click();
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  // Hydration would restore the texts that `hideRandomTexts` replaces.
  await untilHydrated(page);
  await expectBaseline(page, "consent");
});

test("the merchant dashboard looks as before", async ({ page, addressOf, signInAs }) => {
  await signInAs("merchant", "sandbox");
  const chargeId = await idOf("SELECT id FROM charge WHERE reference = 'order-1231'");
  for (const [name, address] of [
    ["merchant", "/merchant"],
    ["merchant-payments", "/merchant/payments"],
    ["merchant-payment", `/merchant/payments/${chargeId}`],
  ] as const) {
    await page.goto(addressOf("sandbox") + address);
    await expectBaseline(page, name);
  }
});

test("the operator console looks as before", async ({ page, addressOf, signInAs }) => {
  await signInAs("operator", "sandbox");
  for (const [name, address] of [
    // The figures of the home page are from the running service, so they differ in each run.
    ["operator-charges", "/operator/charges"],
    ["operator-mandates", "/operator/mandates"],
  ] as const) {
    await page.goto(addressOf("sandbox") + address);
    await expectBaseline(page, name);
  }
});
