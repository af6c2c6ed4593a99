import { expect, expectGoodLooks, query, test } from "../fixtures.ts";

test("a visitor's pages follow the browser's language, and the language choice in the footer keeps the typed text", async ({
  browser,
  sandboxUrl,
}) => {
  const context = await browser.newContext({ baseURL: sandboxUrl, locale: "de-DE" });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page).toHaveTitle("Anmelden · Paygrant");
  await page.getByLabel("E-Mail-Adresse").fill("unbekannt@example.test");
  await page.getByLabel("Passwort").fill("falsch");
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await expect(page.locator("form [role=alert]")).toContainText("passen zu keinem Konto");
  await expectGoodLooks(page, "sign-in-german");

  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByLabel("E-mail")).toHaveValue("unbekannt@example.test");
  // The browser's first preference is still German.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await context.close();
});

test("the choice of a signed-in payer is kept in the account", async ({ signedIn: page, payer }) => {
  const localeOf = async () => {
    const { rows } = await query((client) => client.query("SELECT locale FROM account WHERE id = $1", [payer.id]));
    return rows[0]?.locale;
  };
  await page.goto("/sign-in?again=1");
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { name: "Anmelden", level: 1 })).toBeVisible();
  expect(await localeOf()).toBe("de-DE");
  // Merchant pages are in English for every reader.
  await page.goto("/docs");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the choice redirects back to the page", async ({ page }) => {
    await page.goto("/sign-in?return_to=/wallet/security");
    await page.getByRole("button", { name: "Deutsch" }).click();
    await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fwallet%2Fsecurity$/);
    await expect(page.getByRole("heading", { name: "Anmelden", level: 1 })).toBeVisible();
  });
});
