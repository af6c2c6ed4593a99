import { addAuthenticator } from "../authenticator.ts";
import { expect, expectGoodLooks, tabTo, test } from "../fixtures.ts";
import { holdScripts } from "../hold-scripts.ts";
import { fillIn, makeNewPerson, readSignUpMail } from "./new-person.ts";

test("public pages link to sign-up, and the sign-in pages pass on the page to return to", async ({ page }) => {
  for (const path of ["/", "/pricing", "/docs", "/directory", "/demo"]) {
    await page.goto(path);
    const site = page.getByRole("navigation", { name: "Site" });
    await expect(site.getByRole("link", { name: "Create account" }), path).toHaveAttribute("href", /\/sign-up$/);
  }
  for (const path of ["/sign-in", "/sign-in/recovery", "/reset"]) {
    await page.goto(`${path}?return_to=/wallet/activity`);
    const link = page.getByRole("link", { name: "Create an account" });
    await expect(link, path).toHaveAttribute("href", "/sign-up?return_to=%2Fwallet%2Factivity");
  }
});

test("errors are next to the fields, and the input is kept; the pages work at both widths in both themes", async ({
  page,
}) => {
  const person = makeNewPerson();
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
  await expect(page).toHaveTitle(/^Create your account · Paygrant/);
  const offCenter = await page.getByRole("radio", { name: "Passkey" }).evaluate((radio) => {
    const [inner, box] = [radio.getBoundingClientRect(), radio.closest("label")?.getBoundingClientRect()];
    return box && Math.abs(inner.top + inner.bottom - box.top - box.bottom) / 2;
  });
  expect(offCenter).toBeLessThanOrEqual(0.5);
  await fillIn(page, { ...person, name: "", password: `${person.email}!` });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Enter your name.")).toBeVisible();
  await expect(page.getByText("doesn’t contain your e-mail address")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
  await expectGoodLooks(page, "sign-up-errors");
  await page.getByText("Passkey", { exact: true }).click();
  await expect(page.locator("input[type=password]")).toBeHidden();
  await expectGoodLooks(page, "sign-up-passkey-chosen");
  await page.getByText("Password", { exact: true }).first().click();
  await fillIn(page, { ...person, password: "Qwerty123456" });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("one of the most common passwords")).toBeVisible();
  await fillIn(page, person);
  await page.getByRole("button", { name: "Create account" }).click();

  await expect(page.getByRole("heading", { name: "Confirm your e-mail address" })).toBeVisible();
  // The service under test has no mail server.
  await expect(page.getByRole("link", { name: "outbox" })).toHaveAttribute("href", "/operator/outbox");
  const { code } = await readSignUpMail(person.email);
  await page.getByLabel("Code").fill(code === "111111" ? "222222" : "111111");
  await expect(page.getByText("This code is wrong.")).toBeVisible();
  await expectGoodLooks(page, "sign-up-code");
  await page.getByRole("button", { name: "Send a new code" }).click();
  await expect(page.getByText("We sent a new code.")).toBeVisible();
  await page.getByLabel("Code").fill((await readSignUpMail(person.email)).code);
  await expect(page).toHaveURL(/\/wallet$/);
});

test("a code that was entered before the script ran is sent, but not again after a reload", async ({ page }) => {
  const person = makeNewPerson();
  await page.goto("/sign-up");
  await fillIn(page, person);
  const sent: string[] = [];
  page.on("request", (request) => request.url().endsWith("/sign-up/verification") && sent.push(request.url()));
  const release = await holdScripts(page);
  await page.getByRole("button", { name: "Create account" }).click();
  const { code } = await readSignUpMail(person.email);
  const wrong = code === "111111" ? "222222" : "111111";
  await page.getByLabel("Code").fill(wrong);
  release();
  await expect(page.getByText("This code is wrong.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Code")).toHaveValue("");
  expect(sent).toHaveLength(1);
  await page.getByLabel("Code").fill(code);
  await expect(page).toHaveURL(/\/wallet$/);
});

test("sign-up works with the keyboard only", async ({ page }) => {
  const person = makeNewPerson();
  await page.goto("/sign-up");
  await tabTo(page.getByLabel("Name"), 12);
  await page.keyboard.type(person.name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("radio", { name: "Password" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("radio", { name: "Passkey" })).toBeChecked();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Code")).toBeFocused();
  await page.keyboard.type((await readSignUpMail(person.email)).code);
  await expect(page).toHaveURL(/\/wallet$/);
});

test("the passkey is created after the address is verified, and can then sign in", async ({
  page,
  browser,
  sandboxUrl,
}) => {
  const person = makeNewPerson();
  const setVerified = await addAuthenticator(page, false);
  await page.goto("/sign-up?return_to=/wallet/security");
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByText("Passkey", { exact: true }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Confirm your e-mail address" })).toBeVisible();
  const { code, link } = await readSignUpMail(person.email);
  expect(link).toContain("/sign-up/confirm?token=");
  // The authenticator doesn't confirm the person yet, so no passkey is created and the page doesn't change.
  await page.getByLabel("Code").fill(code);
  await expect(page.getByRole("heading", { name: "Create your passkey" })).toBeVisible();
  // The browser asks for the passkey without a click. Wait until this first attempt has failed.
  await expect(page.getByText("No passkey was created yet.")).toBeVisible();
  await page.getByText("Set a password instead").click();
  await expectGoodLooks(page, "sign-up-passkey");
  await setVerified(true);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page).toHaveURL(/\/wallet\/security$/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/wallet$/);
  // Another browser has neither the passkey nor a password.
  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await other.goto("/sign-in");
  await other.getByLabel("E-mail").fill(person.email);
  await other.locator("input[type=password]").fill(person.password);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other.locator("form [role=alert]")).toContainText("don’t match an account");
  await other.context().close();
});

test("the link's button confirms the address in another browser, and the first browser continues", async ({
  page,
  browser,
  sandboxUrl,
}) => {
  const person = makeNewPerson();
  await page.goto("/sign-up");
  await fillIn(page, person);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Code")).toBeVisible();
  const { link } = await readSignUpMail(person.email);

  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await other.goto(link);
  await expect(other.getByText(person.email)).toBeVisible();
  await expectGoodLooks(other, "sign-up-link");
  // Until the button is pressed, a sign-in opens the code page.
  await other.goto("/sign-in");
  await other.getByLabel("E-mail").fill(person.email);
  await other.locator("input[type=password]").fill(person.password);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other).toHaveURL(/\/sign-up\/verify$/);
  await other.goto("/wallet");
  await expect(other).toHaveURL(/\/sign-in/);
  await other.context().clearCookies();
  await other.goto(link);
  await other.getByRole("button", { name: "Confirm address" }).click();
  await expect(other.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await expectGoodLooks(other, "sign-up-confirmed");
  await expect(page).toHaveURL(/\/wallet$/);
  await other.context().close();
});

test("if the link was used elsewhere, the button for a new code shows the next step", async ({
  page,
  browser,
  sandboxUrl,
}) => {
  const person = makeNewPerson();
  // Without its state, the page doesn't continue by itself.
  await page.route("**/sign-up/state", (route) => route.abort());
  await page.goto("/sign-up");
  await fillIn(page, person);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Code")).toBeVisible();
  const { link } = await readSignUpMail(person.email);
  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "Confirm address" }).click();
  await expect(other.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.getByRole("button", { name: "Send a new code" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/wallet$/);
  await other.context().close();
});

test("a German reader signs up in German", async ({ browser, sandboxUrl }) => {
  const person = makeNewPerson();
  const context = await browser.newContext({ baseURL: sandboxUrl, locale: "de-DE", timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  await page.goto("/sign-up");
  await expect(page).toHaveTitle(/^Konto erstellen · Paygrant/);
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-Mail-Adresse").fill(person.email);
  await page.locator("input[type=password]").fill("kurz");
  await page.getByRole("button", { name: "Konto erstellen" }).click();
  await expect(page.getByText("Verwenden Sie mindestens 12 Zeichen.")).toBeVisible();
  await expectGoodLooks(page, "sign-up-german");
  await page.locator("input[type=password]").fill(person.password);
  await page.getByRole("button", { name: "Konto erstellen" }).click();
  await page.getByLabel("Code").fill((await readSignUpMail(person.email)).code);
  await expect(page).toHaveURL(/\/wallet$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await context.close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signs up; a refused form keeps name and address", async ({ page }) => {
    const person = makeNewPerson();
    await page.goto("/sign-up?return_to=/wallet/security");
    await fillIn(page, { ...person, password: "short" });
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("Use at least 12 characters.")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue(person.name);
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await page.locator("input[type=password]").fill(person.password);
    await page.getByRole("button", { name: "Create account" }).click();
    const { code } = await readSignUpMail(person.email);
    await page.getByLabel("Code").fill("abc");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("This code is wrong.")).toBeVisible();
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { name: "Security", level: 1 })).toBeVisible();
  });
});
