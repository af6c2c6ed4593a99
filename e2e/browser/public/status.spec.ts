import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { waitUntil } from "../../support/wait-until.ts";
import { expect, query, test } from "../fixtures.ts";

const statusUrl = process.env["E2E_STATUS_URL"] ?? "";

/** Finds the confirmation link in production's outbox, in the last e-mail to the address. */
const findConfirmation = async (address: string): Promise<string> => {
  let link = "";
  await query(async (client) => {
    await waitUntil(async () => {
      const { rows } = await client.query("SELECT text FROM mail WHERE recipient = $1 ORDER BY created_at DESC", [
        address,
      ]);
      link = /https?:\/\/\S+\/status\/confirm\?token=\S+/.exec(rows[0]?.text ?? "")?.[0] ?? "";
      return link !== "";
    });
  }, "production");
  return link;
};

const expectNothingInternal = async (page: Page) => expect(await page.content()).not.toMatch(/\b(acc|sub)_[A-Za-z0-9]/);

test("the status page shows the current state, history and postmortems, also by keyboard (docs/spec/status.md, Components and states)", async ({
  page,
}) => {
  await page.goto(statusUrl);
  await expect(page.getByRole("region", { name: "Now" })).toBeVisible();
  const days = page.getByRole("list", { name: "Authorization server: the last 90 days", exact: true });
  const first = days.getByRole("button").first();
  // A key has no effect until the page's script runs.
  await expect(async () => {
    await days.getByRole("button").last().focus();
    await page.keyboard.press("Home");
    await expect(first).toBeFocused({ timeout: 500 });
  }).toPass();
  const words = (await first.getAttribute("aria-label")) ?? "";
  expect(words).toMatch(/^\d+\s\w+\s\d{4}: /);
  await expect(page.getByText(words, { exact: true })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(days.getByRole("button").nth(1)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByText(words, { exact: true })).toBeHidden();
  await expect(page).toHaveTitle("Status · Paygrant");
  await expect(page.getByRole("list", { name: "Static asset bundle: the last 90 days" })).toBeVisible();
  await expectNothingInternal(page);

  await page.getByRole("link", { name: "Authorization server", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Authorization server", level: 1 })).toBeVisible();
  const latency = page.getByRole("table", { name: "Latency and targets" });
  await expect(latency.getByRole("row").filter({ hasText: "POST /oauth/token" })).toContainText("180 ms");

  await page.getByRole("link", { name: "Uptime", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The formula" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Uptime of Authorization server by month" })).toContainText("%");

  type Incident = { title: string; started_at: string; postmortem: object | null };
  const { incidents } = await (await page.request.get(`${statusUrl}/status/v1/incidents`)).json();
  // The incident of the demo data, a month ago. Other tests may have added newer ones.
  const { title, started_at: startedAt } = (incidents as Incident[]).findLast(
    ({ postmortem }) => postmortem,
  ) as Incident;
  await page.getByRole("link", { name: "History" }).click();
  await page.goto(`${statusUrl}/status/history?month=${startedAt.slice(0, 7)}`);
  await page.getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Postmortem" })).toBeVisible();
  await expectNothingInternal(page);
  await page.goBack();
  await page.getByRole("link", { name: "Weekly reset of the sandbox" }).first().click();
  await expect(page.getByRole("heading", { name: "Weekly reset of the sandbox", level: 1 })).toBeVisible();
  await expectNothingInternal(page);
});

test("a subscription is requested, confirmed, changed and ended through its e-mails (docs/spec/status.md, Notifications)", async ({
  page,
}) => {
  const address = `status-${randomBytes(6).toString("hex")}@example.test`;
  const form = page.locator("form").filter({ hasText: "By e-mail" });
  await page.goto(`${statusUrl}/status/subscribe`);
  await expect(form.getByLabel("All components, including future ones")).toBeChecked();
  await expect(form.getByLabel("Billing engine")).toBeHidden();
  await form.getByLabel("Selected components").check();
  await expect(form.getByLabel("Billing engine")).toBeVisible();
  await expect(form.getByLabel("Billing engine")).not.toBeChecked();

  await page.goto(`${statusUrl}/status/subscribe?component=sandbox`);
  await expect(form.getByLabel("Sandbox authorization server")).toBeChecked();
  await expect(form.getByLabel("Billing engine")).not.toBeChecked();
  await form.getByLabel("E-mail address").fill(address);
  await form.getByRole("button", { name: "Send confirmation e-mail" }).click();
  await expect(page.getByText("We sent you a confirmation e-mail")).toBeVisible();

  await page.goto(await findConfirmation(address));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Confirmed. You will get updates.")).toBeVisible();
  await expect(page.getByLabel("Sandbox authorization server")).toBeChecked();
  await page.getByLabel("Billing engine").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Your choice applies to all future updates.")).toBeVisible();
  await expect(page.getByLabel("Billing engine")).toBeChecked();
  await expect(page.getByLabel("Wallet portal")).not.toBeChecked();
  await page.getByLabel("All components, including future ones").check();
  await expect(page.getByLabel("Billing engine")).toBeHidden();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("All components, including future ones")).toBeChecked();

  const managed = page.url();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("heading", { name: "You’re unsubscribed" })).toBeVisible();
  await page.goto(managed);
  await expect(page.getByRole("heading", { name: "Subscription not found" })).toBeVisible();
});
