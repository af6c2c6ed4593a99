import { lower, pushRequest } from "./consent-request.ts";
import { expect, expectGoodLooks, test } from "./fixtures.ts";

test("says who asks, for what and within which limits, in figures of the reader's locale", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const scope = "grant_management_query grant_management_revoke";
  const { url, site } = await pushRequest(sandboxUrl, {}, { scope });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let Grocer Bot pay for you?");
  const main = page.locator("main");
  for (const words of [
    "Weekly groceries",
    "€60.00",
    "€240.00",
    "resets on the 1st, Berlin time",
    "€1,000.00",
    "Only at Fresh Market",
    "standing permission",
    "while you are away",
    "Above €40.00 you approve the single payment",
    "payments already authorised may still complete",
    "hasn’t verified who this is",
    "Grocer Bot may also see how this permission stands and end this permission",
    "Visa ending 4242",
    `you return to ${new URL(site.redirectUri).host}`,
  ]) {
    await expect(main).toContainText(words);
  }
  await expect(page.getByText("Sandbox: no real money moves")).toBeVisible();
  await expectGoodLooks(page, "consent");
});

test("the payer narrows limits, changes the payment method and approves; the wallet shows what was granted", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushRequest(sandboxUrl);
  await page.goto(url);
  await lower(page, "Each payment, at most", "25,50");
  await lower(page, "Each calendar month", "100");
  await expect(page.getByText("€25.50")).toBeVisible();
  await page.locator("summary", { hasText: "Pays with" }).click();
  await page.getByRole("radio", { name: "Mastercard ending 4444" }).check();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  const answer = await site.answer;
  expect(answer.get("iss")).toBe(sandboxUrl);
  expect(answer.get("code")).toBeTruthy();

  await page.goto(`${sandboxUrl}/wallet`);
  const card = page.locator("article", { hasText: "Grocer Bot" });
  await expect(card).toContainText("€0.00 of €100.00");
  await expect(card).toContainText("up to €25.50");
  await card.getByRole("link", { name: "Grocer Bot" }).click();
  await expect(page.getByText("Mastercard ending 4444")).toBeVisible();
});

test("more than was asked for is told beside the field, and nothing is decided", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url } = await pushRequest(sandboxUrl);
  await page.goto(url);
  await lower(page, "In total", "1000.01");
  await expect(page.getByText("That is more than was asked for. The most is €1,000.00.")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL(/\/consent\/.*error=not_narrower/);
  await expect(page.getByText("a limit can only be lowered")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "In total" })).toHaveAttribute("aria-invalid", "true");
});

test("Enter in a field decides nothing", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushRequest(sandboxUrl);
  await page.goto(url);
  await lower(page, "Each payment, at most", "10");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(/\/consent\/[^/?]+$/);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
});

test("Approve and Decline have the same size; declining returns access_denied with iss (RFC 9207)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushRequest(sandboxUrl);
  await page.goto(url);
  const [decline, approve] = [
    page.getByRole("button", { name: "Decline" }),
    page.getByRole("button", { name: "Approve" }),
  ];
  const [left, right] = [await decline.boundingBox(), await approve.boundingBox()];
  expect([left?.width, left?.height, left?.y]).toEqual([right?.width, right?.height, right?.y]);
  await decline.click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  const answer = await site.answer;
  expect([answer.get("error"), answer.get("iss")]).toEqual(["access_denied", sandboxUrl]);
});

test("a page opened twice says so once it was answered", async ({ signedIn: page, context, sandboxUrl }) => {
  const { url } = await pushRequest(sandboxUrl);
  await page.goto(url);
  const second = await context.newPage();
  await second.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await second.getByRole("button", { name: "Approve" }).click();
  await expect(second.getByRole("heading", { name: "This request has been answered" })).toBeVisible();
  await expectGoodLooks(second, "consent-answered");
});

test("wants to know who is there first, and comes back", async ({ page, payer, sandboxUrl }) => {
  const { url } = await pushRequest(sandboxUrl);
  await page.goto(url);
  await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fconsent/);
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Let Grocer Bot pay for you?" })).toBeVisible();
});

test("works by keyboard alone", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushRequest(sandboxUrl);
  await page.goto(url);
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  for (let presses = 0; presses < 40 && (await focused()) !== "Approve"; presses++) await page.keyboard.press("Tab");
  expect(await focused()).toBe("Approve");
  await page.keyboard.press("Space");
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("narrows and approves", async ({ signedIn: page, sandboxUrl }) => {
    const { url } = await pushRequest(sandboxUrl);
    await page.goto(url);
    await lower(page, "Each payment, at most", "12.50");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
    await page.goto(`${sandboxUrl}/wallet/mandates`);
    await expect(page.getByText("up to €12.50")).toBeVisible();
  });
});
