import type { Page } from "@playwright/test";
import { makeRealPng } from "#server/merchants/rules/logo/png.fixture.ts";
import { pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, makeBrowserPayer, query, signInBySession } from "../fixtures.ts";
import { join, test } from "./merchant-fixtures.ts";

const formOf = (page: Page, name: string) => page.getByRole("form", { name });
const green = makeRealPng(64, [26, 127, 55]);

test("an owner changes details and descriptor, and sees the values of a concurrent change", async ({
  dashboard: page,
  member,
}) => {
  await page.goto("/merchant/settings");
  await expect(page).toHaveTitle("Settings · Merchant · Paygrant");
  await expect(page.getByText("Your merchant is approved, so these details")).toBeVisible();
  const details = formOf(page, "Business details");
  await expect(details.getByLabel("Legal name")).toHaveCount(0);
  await details.getByLabel("Display name").fill("Fresher Market");
  await details.getByLabel("Website").fill("not an address");
  await details.getByRole("button", { name: "Save details" }).click();
  await expect(details.getByText("Enter the address of a website")).toBeVisible();
  await expect(details.getByLabel("Display name")).toHaveValue("Fresher Market");

  // Another member saves the same form.
  await query((client) =>
    client.query("UPDATE merchant SET display_name = 'Freshest Market', time_zone = 'Europe/Berlin' WHERE id = $1", [
      member.merchantId,
    ]),
  );
  await details.getByLabel("Website").fill("fresh-market.example");
  await details.getByRole("button", { name: "Save details" }).click();
  await expect(details.getByText("Someone else changed these settings")).toBeVisible();
  await expect(details.getByText("Display name: Freshest Market")).toBeVisible();
  await expect(details.getByLabel("Display name")).toHaveValue("Fresher Market");
  await expect(details.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
  await expectGoodLooks(page, "merchant-settings-conflict");
  await details.getByRole("button", { name: "Save details" }).click();
  await expect(details.getByText("Saved.")).toBeVisible();

  const descriptor = formOf(page, "Statement descriptor");
  await descriptor.getByLabel("Statement descriptor").fill("CAFÉ*1");
  await descriptor.getByRole("button", { name: "Save descriptor" }).click();
  await expect(descriptor.getByText("Don’t use these characters")).toBeVisible();
  await descriptor.getByLabel("Statement descriptor").fill("FRESH MARKET");
  await descriptor.getByRole("button", { name: "Save descriptor" }).click();
  await expect(descriptor.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(details.getByLabel("Display name")).toHaveValue("Fresher Market");
  await expect(details.getByLabel("Website")).toHaveValue("https://fresh-market.example/");
  await expect(descriptor.getByLabel("Statement descriptor")).toHaveValue("FRESH MARKET");
});

test("an owner uploads a logo and sets a color, payers see them at consent, and the owner removes the logo", async ({
  dashboard: page,
  browser,
  sandboxUrl,
  member,
}) => {
  await page.goto("/merchant/settings");
  const file = page.getByLabel("Choose a logo");
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
  await file.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: svg });
  await expect(page.getByText("Choose a PNG, JPEG or WebP picture.")).toBeVisible();
  await file.setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: makeRealPng(16, [0, 0, 0]) });
  await expect(page.getByText("Choose a picture of at least 48 × 48 pixels.")).toBeVisible();
  await file.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: green });
  await expect(page.getByText("Logo saved.")).toBeVisible();
  const color = formOf(page, "Color");
  await color.getByLabel("Color").fill("green");
  await color.getByRole("button", { name: "Save color" }).click();
  await expect(color.getByText("Enter a color in the form")).toBeVisible();
  await color.getByLabel("Color").fill("#1A7F37");
  await color.getByRole("button", { name: "Save color" }).click();
  await expect(color.getByText("Saved.")).toBeVisible();
  const logo = page.getByRole("img", { name: "Logo of Fresh Market" });
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
  await expectGoodLooks(page, "merchant-settings");

  const preview = (await logo.getAttribute("src")) ?? "";
  expect((await page.request.get(preview)).headers()).toMatchObject({ "cache-control": "private, no-cache" });
  const address = preview.replace(/\/preview$/, "");
  const answer = await page.request.get(address);
  expect(answer.headers()).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=300, must-revalidate",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });

  const payer = await makeBrowserPayer();
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, payer, { baseUrl: sandboxUrl });
  const consent = await context.newPage();
  const { url } = await pushConsentRequest(sandboxUrl, { payees: [{ id: member.merchantId }] });
  await consent.goto(url);
  await expect(consent.getByRole("img", { name: "Logo of Fresh Market" })).toBeVisible();
  await expectGoodLooks(consent, "consent-with-logo");
  await context.close();

  await page.getByRole("button", { name: "Remove logo" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the logo?" });
  await expect(dialog).toContainText("Payers no longer see the logo");
  await dialog.getByRole("button", { name: "Remove logo" }).click();
  await expect(page.getByText("Logo removed.")).toBeVisible();
  await expect(logo).toHaveCount(0);
  for (const gone of [address, preview]) expect((await page.request.get(gone)).status()).toBe(404);
});

test("a viewer reads the settings", async ({ browser, member, sandboxUrl }) => {
  const viewer = await makeBrowserPayer();
  await join(viewer, member.merchantId, "viewer");
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, viewer, { baseUrl: sandboxUrl });
  const page = await context.newPage();
  await page.goto("/merchant/settings");
  await expect(page.getByText("Owners and admins of the team can change these settings.")).toBeVisible();
  await expect(page.getByText("5411 Grocery stores and supermarkets")).toBeVisible();
  await expect(page.locator("main").getByRole("button", { name: /Save|Remove/ })).toHaveCount(0);
  await expectGoodLooks(page, "merchant-settings-viewer");
  await context.close();
});

test("the pages to which Stripe redirects say that payments are simulated, for a merchant without Stripe", async ({
  dashboard: page,
  member,
}) => {
  for (const [path, title] of [
    ["return", "Processor"],
    ["refresh", "Payments are simulated"],
  ]) {
    await page.goto(`/merchant/settings/processor/${path}?merchant=${member.merchantId}`);
    await expect(page).toHaveTitle(`${title} · Merchant · Paygrant`);
    await expect(page.getByText("Payments of this merchant are simulated.")).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText("Stripe");
  }
});
