import type { Browser, Page } from "@playwright/test";
import { makeRealPng } from "#server/merchants/rules/logo/png.fixture.ts";
import { expect, expectGoodLooks, makeBrowserPayer, query, signInBySession } from "../fixtures.ts";
import { join, makeDashboardMerchant } from "../merchant/merchant-fixtures.ts";
import { test } from "./operator-fixtures.ts";

/** Creates a merchant that is waiting for review, and opens its settings page as its owner. */
const openSettings = async (browser: Browser, sandboxUrl: string): Promise<{ merchantId: string; settings: Page }> => {
  const owner = await makeBrowserPayer();
  const merchantId = await makeDashboardMerchant("Corner Bakery");
  await join(owner, merchantId, "owner");
  await query((client) => client.query("UPDATE merchant SET review = 'pending' WHERE id = $1", [merchantId]));
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, owner, { baseUrl: sandboxUrl });
  const settings = await context.newPage();
  await settings.goto("/merchant/settings");
  return { merchantId, settings };
};

const logoIn = (page: Page) => page.getByRole("img", { name: /^Logo of / });
const isLoaded = (page: Page) => logoIn(page).evaluate((image: HTMLImageElement) => image.naturalWidth > 0);

test("details that changed after the page was loaded can't be approved or declined until they are shown", async ({
  console: page,
  browser,
  sandboxUrl,
}) => {
  const { merchantId, settings } = await openSettings(browser, sandboxUrl);
  await page.goto(`/operator/merchants/${merchantId}`);
  for (const [act, name] of [
    ["Decline", "Corner Casino"],
    ["Approve", "Corner Betting"],
  ] as const) {
    await page.getByRole("button", { name: act, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("It sells bread");
    const details = settings.getByRole("form", { name: "Business details" });
    await details.getByLabel("Legal name").fill(name);
    await details.getByRole("button", { name: "Save details" }).click();
    await expect(details.getByText("Saved.")).toBeVisible();
    const confirm = dialog.getByRole("button", { name: `${act} merchant` });
    await confirm.click();
    await expect(dialog.getByText("The details changed after this page was loaded.")).toBeVisible();
    // The page behind the dialog shows the new details, but the dialog still decides about the earlier details.
    await expect(page.getByText(name)).toBeVisible();
    await confirm.click();
    await expect(dialog.getByText("The details changed after this page was loaded.")).toBeVisible();
    if (act === "Decline") await expectGoodLooks(page, "operator-merchant-changed");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await settings.reload();
  }
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByLabel("Reason").fill("It sells bread");
  await page.getByRole("button", { name: "Approve merchant" }).click();
  await expect(page.getByRole("button", { name: "Suspend" })).toBeVisible();
  await settings.context().close();
});

test("the logo of a pending merchant is shown only to its team and operators, and an operator removes it", async ({
  console: page,
  browser,
  sandboxUrl,
}) => {
  const { merchantId, settings } = await openSettings(browser, sandboxUrl);
  await settings
    .getByLabel("Choose a logo")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: makeRealPng(64, [26, 127, 55]) });
  await expect(settings.getByText("Logo saved.")).toBeVisible();
  await expect.poll(() => isLoaded(settings)).toBe(true);
  const preview = (await logoIn(settings).getAttribute("src")) ?? "";
  const visitor = await browser.newContext({ baseURL: sandboxUrl });
  for (const address of [preview, preview.replace(/\/preview$/, "")])
    expect((await visitor.request.get(address)).status()).toBe(404);
  await visitor.close();

  await page.goto(`/operator/merchants/${merchantId}`);
  await expect.poll(() => isLoaded(page)).toBe(true);
  await expectGoodLooks(page, "operator-merchant-logo");
  await page.getByRole("button", { name: "Remove logo" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the logo of Corner Bakery?" });
  await dialog.getByLabel("Reason (shown to the merchant)").fill("It is a bank’s logo");
  await dialog.getByRole("button", { name: "Remove logo" }).click();
  await expect(dialog).toBeHidden();
  await expect(logoIn(page)).toHaveCount(0);
  await expect(page.getByText("Logo removed")).toBeVisible();

  await settings.reload();
  await expect(logoIn(settings)).toHaveCount(0);
  await settings.goto("/merchant/audit");
  await settings.getByText("Logo removed by Paygrant").click();
  await expect(settings.getByText("It is a bank’s logo")).toBeVisible();
  await settings.context().close();
});
