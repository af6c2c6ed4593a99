import { expect, expectGoodLooks, test } from "../fixtures.ts";

test("e-mail, password and 'Sign in' share one form on the first screen (docs/spec/portal.md, Sign-in)", async ({
  page,
  payer,
}) => {
  await page.goto("/wallet/activity?show=failed");
  await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fwallet%2Factivity/);
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  // The filters of the address are kept.
  await expect(page).toHaveURL(/\/wallet\/activity\?show=failed$/);
  await expect(page.getByRole("heading", { name: "Activity", level: 1 })).toBeVisible();
});

test("a refusal is shown in the form, is the same for an unknown account, and keeps the e-mail address", async ({
  page,
  payer,
}) => {
  await page.goto("/sign-in");
  const alert = page.locator("form [role=alert]");
  for (const email of [payer.email, "unknown@example.test"]) {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await expect(alert).toHaveText("E-mail and password don’t match an account. Check both, then try again.");
    await expect(page.getByLabel("E-mail")).toHaveValue(email);
    await expect(page.getByLabel("Password")).toBeFocused();
  }
});

test("the sign-in form never redirects to another origin (RFC 9700 §4.11)", async ({ page, payer, sandboxUrl }) => {
  await page.goto("/sign-in?return_to=https://evil.example/");
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${sandboxUrl}/wallet`);
});

test("scripts can't read the cookie, and signing out ends the session", async ({ signedIn: page, context }) => {
  await page.goto("/wallet");
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/$/);
  expect((await context.cookies()).filter(({ name }) => name.startsWith("__Host-"))).toEqual([]);
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("another site's form can't sign a user in or out", async ({ request, sandboxUrl, payer }) => {
  const forms = { "/sign-in/session": { email: payer.email, password: payer.password }, "/sign-out": {} };
  for (const [path, form] of Object.entries(forms)) {
    const answer = await request.post(`${sandboxUrl}${path}`, {
      form,
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(403);
    expect(answer.headers()["set-cookie"]).toBeUndefined();
  }
});

test("the forms for reset, recovery and sign-up show the typed e-mail address until a form is accepted", async ({
  page,
  payer,
}) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(payer.email);
  for (const link of ["Forgot your password?", "Use a recovery code", "Create an account"]) {
    await page.getByRole("link", { name: link }).click();
    await expect(page.getByRole("link", { name: link })).toHaveCount(0);
    await expect(page.getByLabel("E-mail"), link).toHaveValue(payer.email);
    await page.goto("/sign-in");
  }
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/wallet$/);
  await page.goto("/reset");
  await expect(page.getByLabel("E-mail")).toHaveValue("");
});

test("the forms work in a browser that blocks site data", async ({ page, payer }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "sessionStorage", {
      get: () => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  });
  for (const path of ["/sign-up", "/reset", "/sign-in/recovery", "/sign-in"]) {
    await page.goto(path);
    await page.getByLabel("E-mail").fill(payer.email);
    await expect(page.getByLabel("E-mail"), path).toHaveValue(payer.email);
  }
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/wallet$/);
  await page.goto("/merchant/new");
  await page.getByLabel("Legal name").fill("Acme GmbH");
  await expect(page.getByLabel("Legal name")).toHaveValue("Acme GmbH");
  await page.goto("/demo");
  await page.getByRole("button", { name: "Register both" }).click();
  await expect(page.getByRole("button", { name: "Push the request" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signs in, and shows a refusal", async ({ page, payer }) => {
    await page.goto("/sign-in?return_to=/wallet/security");
    await page.getByLabel("E-mail").fill(payer.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByText("don’t match an account")).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue(payer.email);
    await expect(page.getByLabel("Password")).toHaveValue("");
    for (const link of ["Forgot your password?", "Use a recovery code", "Create an account"]) {
      await page.getByRole("link", { name: link }).click();
      await expect(page.getByLabel("E-mail"), link).toHaveValue(payer.email);
      await page.goBack();
    }
    await page.getByLabel("Password").fill(payer.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Security", level: 1 })).toBeVisible();
    await page.goto("/reset");
    await expect(page.getByLabel("E-mail")).toHaveValue("");
  });
});

test("a session that is ended in another browser stops working immediately", async ({
  signedIn: page,
  browser,
  payer,
  sandboxUrl,
}) => {
  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await other.goto("/sign-in");
  await other.getByLabel("E-mail").fill(payer.email);
  await other.getByLabel("Password").fill(payer.password);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other).toHaveURL(/\/wallet$/);

  await page.goto("/wallet/security");
  await page.getByRole("button", { name: "End session" }).click();
  const dialog = page.getByRole("dialog", { name: "End this session?" });
  await expect(dialog).toContainText("is signed out immediately");
  await dialog.getByRole("button", { name: "End session" }).click();
  await expect(page.getByRole("button", { name: "End session" })).toHaveCount(0);
  await other.goto("/wallet");
  await expect(other).toHaveURL(/\/sign-in/);
});

test("the sign-in page works at both widths in both themes", async ({ page }) => {
  await page.goto("/sign-in?error=sign_in_refused");
  await expectGoodLooks(page, "sign-in");
});
