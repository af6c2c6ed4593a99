import type { BrowserContext, Page } from "@playwright/test";
import { currentInstance } from "../../support/instance.ts";
import { expect, expectGoodLooks, makeBrowserPayer, query, signInBySession, test } from "../fixtures.ts";
import { test as operatorTest } from "../operator/operator-fixtures.ts";
import { fillDetails } from "./merchant-fixtures.ts";

test("a new person starts selling in the sandbox, and nothing typed is lost when the session ends", async ({
  signedIn: page,
  payer,
  context,
  sandboxUrl,
}) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Start selling" })).toHaveAttribute("href", "/merchant/new");
  await page.goto("/wallet");
  await page.getByRole("link", { name: "Start selling" }).click();
  await expect(page).toHaveTitle(/Start selling/);
  await page.getByRole("button", { name: "Start selling" }).click();
  await expect(page.getByText("Enter the legal name.")).toBeVisible();
  await expect(page.getByText("Choose a category from the list")).toBeVisible();
  await expectGoodLooks(page, "merchant-new-errors");
  // The currency follows the country, unless the person chose another one.
  const [country, currency] = [page.getByLabel("Country"), page.getByLabel("Currency")];
  for (const [code, proposed] of [
    ["US", "USD"],
    ["DE", "EUR"],
  ] as const) {
    await country.selectOption(code);
    await expect(currency).toHaveValue(proposed);
  }
  await currency.selectOption("CHF");
  await country.selectOption("US");
  await expect(currency).toHaveValue("CHF");
  await fillDetails(page, "Corner Bakery");
  await query((client) => client.query("UPDATE session SET revoked_at = now() WHERE account_id = $1", [payer.id]));
  await page.getByRole("button", { name: "Start selling" }).click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await signInBySession(context, payer, { baseUrl: sandboxUrl });
  await page.reload();
  await expect(page.getByLabel("Legal name")).toHaveValue("Corner Bakery Ltd");
  await expect(page.getByLabel("Country")).toHaveValue("DE");
  await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("5462 Bakeries");
  await page.getByRole("button", { name: "Start selling" }).click();
  await expect(page.getByRole("heading", { name: "Getting started", level: 1 })).toBeVisible();
  const banner = page.getByRole("region", { name: "Merchant and environment" });
  await expect(banner).toContainText("Corner Bakery");
  await expect(banner).toContainText("as owner");
  await expect(banner.getByRole("button", { name: /^Copy merchant_id mch_/ })).toBeVisible();
  await expect(banner.getByRole("link", { name: "Go to production" })).toBeVisible();
  // Registers a second merchant, and switches between the two.
  await banner.getByRole("link", { name: "New merchant" }).click();
  await expect(page.getByLabel("Legal name")).toHaveValue("");
  await fillDetails(page, "Corner Café");
  await page.getByRole("button", { name: "Start selling" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(banner.getByRole("combobox")).toHaveText(/Corner Bakery \(owner\)/);
  await expect(banner.getByRole("combobox").locator("option:checked")).toHaveText("Corner Café (owner)");
  const merchantId = page.getByRole("button", { name: "Copy merchant_id" });
  const cafe = await merchantId.innerText();
  await banner.getByRole("combobox").selectOption({ label: "Corner Bakery (owner)" });
  // The choice loads the page again. A click before that would be lost.
  await expect(merchantId).not.toHaveText(cafe);
  await expect(banner.getByRole("combobox").locator("option:checked")).toHaveText("Corner Bakery (owner)");
  // The new merchant can register an app immediately.
  await page.getByRole("link", { name: "Apps & keys" }).click();
  await page.getByRole("link", { name: "Register app" }).first().click();
  await page.getByLabel("Name").fill("Checkout");
  await page.getByLabel(/^Verify and charge mandates/).check();
  await page.getByRole("button", { name: "Register app" }).click();
  await expect(page.getByText(/^cl_test_/)).toBeVisible();
});

const openProduction = async (context: BrowserContext): Promise<Page> => {
  const { productionUrl } = currentInstance();
  const payer = await makeBrowserPayer("production");
  await signInBySession(context, payer, { baseUrl: productionUrl, environment: "production" });
  return context.newPage();
};

operatorTest(
  "in production, a new merchant waits for an operator, who declines it with a reason and approves it later",
  async ({ browser, productionConsole: console }) => {
    const context = await browser.newContext({ baseURL: currentInstance().productionUrl });
    const page = await openProduction(context);
    await page.goto("/merchant/new");
    await expect(page.getByText("We review each new merchant before its first payment")).toBeVisible();
    const name = `Bakery ${Date.now()}`;
    await fillDetails(page, name);
    await page.getByRole("button", { name: "Start selling" }).click();
    await expect(page.getByText("is waiting for approval")).toBeVisible();
    await expectGoodLooks(page, "merchant-pending");
    await page.goto("/merchant/apps/register");
    await page.getByLabel("Name").fill("Checkout");
    await page.getByLabel(/^Verify and charge mandates/).check();
    await page.getByRole("button", { name: "Register app" }).click();
    await expect(page.getByText("The merchant is waiting for approval by Paygrant.")).toBeVisible();

    await console.goto("/operator/merchants");
    await console.getByRole("button", { name: "Invite merchant" }).click();
    const invited = `owner${Date.now()}@bakery.example`;
    await console.getByLabel("E-mail").fill(invited);
    await console.getByLabel("Reason").fill("Asked by phone.");
    await expectGoodLooks(console, "operator-invite-merchant");
    await console.getByRole("button", { name: "Send invitation" }).click();
    await expect(console.getByText(`Invited ${invited}.`)).toBeVisible();
    await console.goto(`/operator/outbox?q=${encodeURIComponent(invited)}`);
    await expect(console.getByText("Start selling with Paygrant")).toBeVisible();

    await console.goto("/operator");
    await console.getByRole("link", { name: "See merchants" }).click();
    await console.getByRole("link", { name }).click();
    await expect(console.getByText("Germany")).toBeVisible();
    await expectGoodLooks(console, "operator-merchant-pending");
    await console.getByRole("button", { name: "Decline" }).click();
    await console.getByLabel("Reason (sent to the owners)").fill("The website shows no products.");
    await console.getByRole("button", { name: "Decline merchant" }).click();
    await expect(console.getByText("was declined. It can’t register apps")).toBeVisible();
    await page.reload();
    await expect(page.getByText("was not approved")).toBeVisible();
    await console.getByRole("button", { name: "Approve" }).click();
    await console.getByLabel("Reason").fill("The website is complete now.");
    await console.getByRole("button", { name: "Approve merchant" }).click();
    await expect(console.getByRole("button", { name: "Suspend" })).toBeVisible();
    await page.reload();
    await expect(page.getByText("was not approved")).toHaveCount(0);
    await context.close();
  },
);
