import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, query, tabTo, test } from "../fixtures.ts";
import { holdScripts } from "../hold-scripts.ts";
import { lowerLimit, pushConsentRequest } from "./consent-request.ts";

test("the page shows the client, the payer, the purpose and the limits, with amounts in the payer's locale", async ({
  signedIn: page,
  payer,
  sandboxUrl,
}) => {
  const scope = "grant_management_query grant_management_revoke";
  const { url, site } = await pushConsentRequest(sandboxUrl, {}, { scope });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let Grocer Bot pay for you?");
  const main = page.locator("main");
  for (const words of [
    "Weekly groceries",
    "At most €60.00 each payment",
    "At most €240.00 each month",
    "At most €1,000.00 in total",
    "Only at Fresh Market",
    "Standing permission: Fresh Market can charge you within these limits without asking again",
    "What Grocer Bot says it’s for",
    `On behalf of Test Payer (${payer.email})`,
    "Starts when you approve",
    "Payments can happen when you’re not present",
    "You approve each payment above €40.00",
    "payments that are already authorized may still complete",
    "doesn’t end a contract with the merchant",
    "hasn’t verified who this is",
    "Grocer Bot may also see the status of this permission and end this permission",
    "Visa ending in 4242",
    `you return to ${new URL(site.redirectUri).host}`,
  ]) {
    await expect(main).toContainText(words);
  }
  // Midnight in New York, which is the time zone of the mandate.
  await expect(main).toContainText(/resets on 1\s\w+(\s\d{4})?, 0[56]:00 \(Europe\/Berlin\)/);
  await expect(main).toContainText("one year from its start, Berlin time");
  await expect(page.getByText("Sandbox: no real money moves")).toBeVisible();
  await expect(page).toHaveTitle("Let Grocer Bot pay for you? · Paygrant");
  const [payee, limit] = [main.getByText("Only at Fresh Market"), main.getByText("At most €60.00 each payment")];
  expect((await payee.boundingBox())?.y).toBeLessThan((await limit.boundingBox())?.y ?? 0);
  await expectGoodLooks(page, "consent");
});

test("the payer lowers limits, changes the payment method and approves; the wallet shows the granted limits", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl, {
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 24_000, max_payments: 8 }],
    max_payments: 50,
  });
  await page.goto(url);
  await lowerLimit(page, "Each payment, at most", "25,50");
  await lowerLimit(page, "Each calendar month: your limit in EUR", "100");
  await lowerLimit(page, "Each calendar month: your limit on the number of payments", "4");
  await lowerLimit(page, "Payments in total", "51");
  await expect(page.getByText("Enter at most 50 payments.")).toBeVisible();
  await lowerLimit(page, "Payments in total", "20");
  await lowerLimit(page, "You approve each payment above", "15");
  await expectGoodLooks(page, "consent-lowered");
  await expect(page.getByText("€25.50")).toBeVisible();
  const reset =
    (await page
      .getByText(/^resets on /)
      .first()
      .textContent()) ?? "";
  expect(reset).toMatch(/\(Europe\/Berlin\)$/);
  await page.locator("summary", { hasText: "Pays with" }).click();
  await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  const answer = await site.answer;
  expect(answer.get("iss")).toBe(sandboxUrl);
  expect(answer.get("code")).toBeTruthy();

  await page.goto(`${sandboxUrl}/wallet`);
  const card = page.locator("article", { hasText: "Grocer Bot" });
  await expect(card).toContainText("€0.00 of €100.00");
  await expect(card).toContainText("up to €25.50");
  await expect(card).toContainText(reset);
  await card.getByRole("link", { name: "Grocer Bot" }).click();
  await expect(page.getByText("Mastercard ending in 4444")).toBeVisible();
  for (const words of ["0 of 4 payments", "0 of 20 payments", "€15.00", reset, "America/New York"]) {
    await expect(page.locator("main")).toContainText(words);
  }
});

test("Approve sends nothing while a field is invalid: it focuses and explains the field, and keeps the input", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  await lowerLimit(page, "Each payment, at most", "1O");
  await lowerLimit(page, "Each calendar month", "100");
  await page.locator("summary", { hasText: /^At most .* each payment/ }).click();
  await page.getByRole("checkbox", { name: "Merchants may see what is left" }).check();
  await page.getByRole("button", { name: "Approve" }).click();
  const single = page.getByRole("textbox", { name: "Each payment, at most" });
  await expect(single).toBeFocused();
  await expect(single).toHaveValue("1O");
  await expect(single).toHaveAccessibleDescription(/Enter an amount, like 25.00/);
  await expect(page.getByRole("textbox", { name: "Each calendar month" })).toHaveValue("100");
  expect(sent).toEqual([]);
  await expectGoodLooks(page, "consent-invalid");

  await single.fill("1000.01");
  await expect(page.getByText("Enter at most €60.00.")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(single).toBeFocused();
  expect(sent).toEqual([]);

  await single.fill("10");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  expect((await site.answer).get("code")).toBeTruthy();
});

test("an end date outside the range is explained, even in a closed row; Decline still works", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  const ends = page.locator("summary", { hasText: "Ends" });
  const requested = (await ends.textContent()) ?? "";
  await ends.click();
  const end = page.getByLabel("New end date");
  await end.fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await expect(ends).not.toHaveText(requested);
  await end.fill("2099-01-01");
  await expect(page.getByText(/^Choose a day from .* to .*\.$/)).toBeVisible();
  await page.locator("summary", { hasText: "Ends" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(end).toBeFocused();
  await expect(end).toHaveValue("2099-01-01");
  await page.getByRole("button", { name: "Decline" }).click();
  expect((await site.answer).get("error")).toBe("access_denied");
});

test("the input is kept if the payer must sign in again first", async ({
  signedIn: page,
  payer,
  sandboxUrl,
  ageProof,
}) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await lowerLimit(page, "In total", "300");
  await page.locator("summary", { hasText: "Pays with" }).click();
  await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
  await ageProof();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "In total" })).toHaveValue("300");
  await expect(page.locator("summary", { hasText: "Pays with" })).toContainText("Mastercard ending in 4444");
});

test("if the requested end has passed, the page reports it and returns to the client with an error (docs/spec/portal.md, Consent)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await query((client) =>
    client.query(
      `UPDATE pushed_request SET request = jsonb_set(request, '{details,0,valid_until}', to_jsonb(now() - interval '1 second'))
        WHERE handle = $1`,
      [new URL(page.url()).pathname.split("/").at(-1)],
    ),
  );
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "This request has ended", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle("This request has ended · Paygrant");
  await expectGoodLooks(page, "consent-ended");
  await page.getByRole("link", { name: `Return to ${new URL(site.redirectUri).host}` }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  const answer = await site.answer;
  expect([answer.get("error"), answer.get("error_description"), answer.get("iss")]).toEqual([
    "access_denied",
    "valid_until has passed",
    sandboxUrl,
  ]);
  expect(answer.get("state")).toBeTruthy();
});

test("Enter in a field doesn't submit the form", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await lowerLimit(page, "Each payment, at most", "10");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(/\/consent\/[^/?]+$/);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
});

test("Approve and Decline look the same; declining returns access_denied with iss (RFC 9207)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  const [decline, approve] = [
    page.getByRole("button", { name: "Decline" }),
    page.getByRole("button", { name: "Approve" }),
  ];
  const [left, right] = [await decline.boundingBox(), await approve.boundingBox()];
  expect([left?.width, left?.height, left?.y]).toEqual([right?.width, right?.height, right?.y]);
  const lookOf = (button: typeof approve) =>
    button.evaluate((element) => {
      const { color, backgroundColor, borderColor, borderWidth, fontWeight, opacity } = getComputedStyle(element);
      return { color, backgroundColor, borderColor, borderWidth, fontWeight, opacity };
    });
  expect(await lookOf(approve)).toEqual(await lookOf(decline));
  await decline.click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  const answer = await site.answer;
  expect([answer.get("error"), answer.get("iss")]).toEqual(["access_denied", sandboxUrl]);
});

test("a page opened in two tabs shows the decision in the second tab", async ({
  signedIn: page,
  context,
  sandboxUrl,
}) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  const second = await context.newPage();
  await second.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await second.getByRole("button", { name: "Approve" }).click();
  await expect(second.getByRole("heading", { name: "You approved this request" })).toBeVisible();
  await expect(second.getByText("Your choices in the form have no effect.")).toBeVisible();
  await expectGoodLooks(second, "consent-answered");
});

test("the page asks a visitor to sign in, then shows the request", async ({ page, payer, sandboxUrl }) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await expect(page).toHaveURL(/\/sign-in\?return_to=%2Fconsent/);
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Let Grocer Bot pay for you?" })).toBeVisible();
});

test("the consent page works with the keyboard only", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await tabTo(page.getByRole("button", { name: "Approve", exact: true }), 40);
  await page.keyboard.press("Space");
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
});

const expectShownMethodIsSent = async (page: Page): Promise<void> => {
  const sent = await page.locator("[name=payment_method_id]:checked").getAttribute("value");
  const label = page.locator("label", { has: page.locator(`[value="${sent}"]`) });
  await expect(page.locator("summary", { hasText: "Pays with" })).toContainText((await label.textContent()) ?? "");
};

test("after Back the page shows the payment method that it will send", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await page.locator("summary", { hasText: "Pays with" }).click();
  await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
  await expectShownMethodIsSent(page);
  await page.goto(`${sandboxUrl}/wallet`);
  await page.goBack();
  await expectShownMethodIsSent(page);
});

test("input that was entered before the script runs is kept and shown", async ({ signedIn: page, sandboxUrl }) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  const release = await holdScripts(page);
  await page.goto(url, { waitUntil: "commit" });
  await lowerLimit(page, "Each payment, at most", "12.50");
  await lowerLimit(page, "Each calendar month", "1O");
  await page.locator("summary", { hasText: "Pays with" }).click();
  await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
  release();
  await expect(page.locator("main")).toContainText("At most €12.50 each payment");
  await expect(page.getByRole("textbox", { name: "Each calendar month" })).toHaveAttribute("aria-invalid", "true");
  await expectShownMethodIsSent(page);
  await expect(page.getByRole("radio", { name: "Mastercard ending in 4444" })).toBeChecked();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("lowers a limit and approves", async ({ signedIn: page, sandboxUrl }) => {
    const { url } = await pushConsentRequest(sandboxUrl);
    await page.goto(url);
    await lowerLimit(page, "Each payment, at most", "12.50");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
    await page.goto(`${sandboxUrl}/wallet/mandates`);
    await expect(page.getByText("up to €12.50")).toBeVisible();
  });

  test("keeps the input if a limit is invalid, and names the limit", async ({ signedIn: page, sandboxUrl }) => {
    const { url, site } = await pushConsentRequest(sandboxUrl, { max_payments: 50 });
    await page.goto(url);
    await lowerLimit(page, "Each payment, at most", "1O");
    await lowerLimit(page, "Each calendar month", "100");
    await lowerLimit(page, "Payments in total", "2.5");
    await lowerLimit(page, "You approve each payment above", "15");
    await page.locator("summary", { hasText: "Ends" }).click();
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("New end date").fill(soon);
    await page.locator("summary", { hasText: "Pays with" }).click();
    await page.getByRole("radio", { name: "Mastercard ending in 4444" }).check();
    await page.getByRole("checkbox", { name: "Merchants may see what is left" }).check();
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page).toHaveURL(/error=malformed_limit/);

    const single = page.getByRole("textbox", { name: "Each payment, at most" });
    await expect(single).toHaveValue("1O");
    await expect(single).toBeFocused();
    await expect(single).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("textbox", { name: "Each calendar month" })).toHaveValue("100");
    await expect(page.getByRole("textbox", { name: "You approve each payment above" })).toHaveValue("15");
    await expect(page.getByLabel("New end date")).toHaveValue(soon);
    await expect(page.getByRole("checkbox", { name: "Merchants may see what is left" })).toBeChecked();
    await expect(page.locator("summary", { hasText: "Pays with" })).toContainText("Mastercard ending in 4444");

    await single.fill("10");
    await page.getByRole("button", { name: "Approve" }).click();
    const count = page.getByRole("textbox", { name: "Payments in total" });
    await expect(count).toHaveValue("2.5");
    await expect(count).toBeFocused();
    await expect(count).toHaveAccessibleDescription(/Enter a whole number, like 3\./);
    await count.fill("2");
    await page.getByRole("button", { name: "Approve" }).click();
    expect((await site.answer).get("code")).toBeTruthy();
    await page.goto(`${sandboxUrl}/wallet/mandates`);
    await expect(page.getByText("up to €10.00")).toBeVisible();
    await expect(page.locator("article", { hasText: "Grocer Bot" })).toContainText("of €100.00");
  });
});
