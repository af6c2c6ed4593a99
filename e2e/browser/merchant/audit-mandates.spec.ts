import { lowerLimit, pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, makeBrowserPayer, query, signInBySession } from "../fixtures.ts";
import { join, test } from "./merchant-fixtures.ts";

test("an owner searches the audit log; a viewer gets the not-found page", async ({
  dashboard: page,
  member,
  browser,
  sandboxUrl,
}) => {
  await page.goto("/merchant/settings");
  await page.getByLabel("Display name").fill("Fresher Market");
  await page.getByRole("button", { name: "Save details" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByRole("link", { name: "Audit log" }).first().click();
  await expect(page).toHaveTitle("Audit log · Merchant · Paygrant");
  const entry = page.getByRole("listitem").filter({ hasText: "Settings changed" });
  await entry.locator("summary").click();
  await expect(entry.getByRole("row", { name: "Display name Fresh Market Fresher Market" })).toBeVisible();
  await expectGoodLooks(page, "merchant-audit");
  await page.getByLabel("Topic").selectOption("team");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/topic=team/);
  await expect(page.getByText("No entry matches these filters.")).toBeVisible();
  await expectGoodLooks(page, "merchant-audit-empty");

  const viewer = await makeBrowserPayer();
  await join(viewer, member.merchantId, "viewer");
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, viewer, { baseUrl: sandboxUrl });
  const other = await context.newPage();
  const response = await other.goto("/merchant/audit");
  expect(response?.status()).toBe(404);
  await expect(other.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  await context.close();
});

test("a merchant sees a payer’s mandate, but not who the payer is, and exports its payments as CSV", async ({
  dashboard: page,
  member,
  browser,
  sandboxUrl,
}) => {
  await page.goto("/merchant/mandates");
  await expect(page.getByText("No mandates yet")).toBeVisible();
  const payer = await makeBrowserPayer();
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, payer, { baseUrl: sandboxUrl });
  const consent = await context.newPage();
  const { url } = await pushConsentRequest(sandboxUrl, { payees: [{ id: member.merchantId }] });
  await consent.goto(url);
  await lowerLimit(consent, "Each payment, at most", "25");
  await consent.getByRole("button", { name: "Approve" }).click();
  await expect(consent.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await context.close();

  await page.reload();
  await expect(page).toHaveTitle("Mandates · Merchant · Paygrant");
  await expectGoodLooks(page, "merchant-mandates");
  await page.getByLabel("Status").selectOption("ended");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No mandate matches these filters.")).toBeVisible();
  await page.goto("/merchant/mandates");
  await page.getByRole("link", { name: "Grocer Bot" }).click();
  await expect(page).toHaveTitle(/^Mandate mdt_\w+, Grocer Bot · Merchant · Paygrant$/);
  await expect(page.getByText("The payer doesn’t share the limits.")).toBeVisible();
  await expect(page.getByText(payer.email)).toHaveCount(0);
  const mandateId = new URL(page.url()).pathname.split("/").at(-1);
  await query((client) => client.query("UPDATE mandate SET budget_visible = true WHERE id = $1", [mandateId]));
  await page.reload();
  await expect(page.getByText("€25.00").first()).toBeVisible();
  await expectGoodLooks(page, "merchant-mandate");

  const csv = (merchantId: string) => page.request.get(`/merchant/payments/export.csv?merchant=${merchantId}`);
  const answer = await csv(member.merchantId);
  expect(answer.headers()["content-disposition"]).toContain("payments.csv");
  expect(await answer.text()).toMatch(/^\ufeffPayment ID,Created \(UTC\),Status,/);
  expect((await csv("mch_another")).status()).toBe(404);
});
