import { addAuthenticator } from "../authenticator.ts";
import { lowerLimit, pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { countInteractions, makeNewPerson, readSignUpMail } from "./new-person.ts";

const accountOf = async (email: string) =>
  (await query((client) => client.query("SELECT locale, time_zone FROM account WHERE email = $1", [email]))).rows[0];

/** The flow of a person without an account, from an agent's link to the approval. */
for (const [width, method] of [
  [360, "password"],
  [1440, "password"],
  [360, "passkey"],
] as const) {
  test(`a new payer approves an agent's request in at most 8 interactions, with a ${method} at ${width} px (docs/spec/portal.md, Sign-up)`, async ({
    page,
    sandboxUrl,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    if (method === "passkey") await addAuthenticator(page);
    const { url, site } = await pushConsentRequest(sandboxUrl);
    const person = makeNewPerson();
    const act = countInteractions();
    await page.goto(url);
    await act.click(page.getByRole("link", { name: "Create an account" }));
    await act.fill(page.getByLabel("Name"), person.name);
    await act.fill(page.getByLabel("E-mail"), person.email);
    if (method === "passkey") await act.click(page.getByText("Passkey", { exact: true }));
    else await act.fill(page.locator("input[type=password]"), person.password);
    await act.click(page.getByRole("button", { name: "Create account" }));
    await expect(page.getByRole("heading", { name: "Confirm your e-mail address" })).toBeVisible();
    const { code } = await readSignUpMail(person.email);
    await act.fill(page.getByLabel("Code"), code);
    await expect(page).toHaveURL(/\/consent\//);
    await act.click(page.getByRole("button", { name: "Add card" }));
    await expect(page.getByText("Visa ending in 4242").first()).toBeVisible();
    await act.click(page.getByRole("button", { name: "Approve" }));
    expect((await site.answer).get("code")).toBeTruthy();
    expect(act.total()).toBeLessThanOrEqual(8);
    site.close();
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await accountOf(person.email)).toEqual({ locale: "en-US", time_zone: zone });
  });
}

test("the payer's input is kept while a card is added, and another card can be added", async ({
  signedIn: page,
  payer,
  sandboxUrl,
}) => {
  await query((client) => client.query("DELETE FROM payment_method WHERE payer_id = $1", [payer.id]));
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await expect(page.getByRole("button", { name: "Approve" })).toBeDisabled();
  await expectGoodLooks(page, "consent-without-method");
  await lowerLimit(page, "Each calendar month", "100");
  await page.getByLabel("Test card").selectOption("American Express");
  await page.getByRole("button", { name: "Add card" }).click();
  await expect(page.getByText("American Express ending in 8431").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Each calendar month" })).toHaveValue("100");

  await page.locator("summary", { hasText: "Pays with" }).click();
  await expectGoodLooks(page, "consent-another-method");
  await page.getByLabel("Test card").selectOption("Mastercard");
  await page.getByRole("button", { name: "Add card" }).click();
  await expect(page.locator("summary", { hasText: "Pays with" })).toContainText("Mastercard ending in 4444");
  await page.getByRole("button", { name: "Approve" }).click();
  expect((await site.answer).get("code")).toBeTruthy();
  site.close();
});

test("adding a card requires a new authentication after 5 minutes, and keeps the payer's input", async ({
  signedIn: page,
  payer,
  sandboxUrl,
  ageProof,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await lowerLimit(page, "Each calendar month", "100");
  await page.locator("summary", { hasText: "Pays with" }).click();
  await ageProof();
  await page.getByRole("button", { name: "Add card" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("E-mail").fill(payer.email);
  await page.locator("input[type=password]").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/consent\//);
  await expect(page.getByRole("textbox", { name: "Each calendar month" })).toHaveValue("100");
  site.close();
});
