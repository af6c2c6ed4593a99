import type { Page } from "@playwright/test";
import { merchantPost } from "../../support/oauth/mandate-flow.ts";
import { clientToken } from "../../support/oauth/parties.ts";
import { lowerLimit, pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { openApprovedMandate } from "./pending-charge.ts";

/** Approves a mandate as the signed-in payer, and opens the wallet. */
const approve = async (page: Page, sandboxUrl: string): Promise<void> => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await page.goto(`${sandboxUrl}/wallet`);
};

test("without mandates Home says that no app can spend money", async ({ signedIn: page }) => {
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "No app can spend your money" })).toBeVisible();
  await expectGoodLooks(page, "wallet-empty");
});

test("a payer pauses and resumes a mandate without leaving the page", async ({ signedIn: page, sandboxUrl }) => {
  await approve(page, sandboxUrl);
  const card = page.locator("article", { hasText: "Grocer Bot" });
  await card.getByRole("button", { name: "Pause" }).click();
  await expect(card.getByText("Paused")).toBeVisible();
  await expect(page.getByText("All mandates are paused. New payments are refused.")).toBeVisible();
  await card.getByRole("button", { name: "Resume" }).click();
  await expect(card.getByText("Active")).toBeVisible();
  await expectGoodLooks(page, "wallet");
});

test("a connected app is found by its name, and links to its mandates (docs/spec/portal.md, Connected apps)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  await approve(page, sandboxUrl);
  await page.goto("/wallet/connected-apps?q=baker");
  await expect(page.getByText("No connected app has “baker” in its name.")).toBeVisible();
  await expectGoodLooks(page, "wallet-connected-apps-no-results");
  await page.getByRole("link", { name: "Clear the search" }).click();
  await page.getByLabel("Search by app").fill("grocer");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Show mandates: Grocer Bot" }).click();
  await expect(page).toHaveURL(/\/wallet\/mandates\?q=Grocer\+Bot$/);
  await expect(page.locator("article", { hasText: "Grocer Bot" })).toBeVisible();
});

test("connected apps are paged, and a page keeps the search", async ({ signedIn: page, payer, sandboxUrl }) => {
  await approve(page, sandboxUrl);
  await query(async (client) => {
    await client.query(
      `INSERT INTO client SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n,
         'name', 'Helper ' || n))).*
         FROM client c JOIN "grant" g ON g.client_id = c.id, generate_series(1, 30) n WHERE g.payer_id = $1`,
      [payer.id],
    );
    await client.query(
      `INSERT INTO "grant" SELECT (jsonb_populate_record(g, jsonb_build_object('id', g.id || '_' || n,
         'client_id', g.client_id || '_' || n, 'created_at', g.created_at - n * interval '1 minute'))).*
         FROM "grant" g, generate_series(1, 30) n WHERE g.payer_id = $1`,
      [payer.id],
    );
  });
  await page.goto("/wallet/connected-apps");
  const apps = page.getByRole("button", { name: "Disconnect" });
  await expect(apps).toHaveCount(25);
  await page.getByLabel("Search by app").fill("helper");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(apps).toHaveCount(5);
  await expect(page).toHaveURL(/\?q=helper&after=/);
  await expect(page.getByText("Helper 30")).toBeVisible();
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(page).toHaveURL(/\?q=helper$/);
  await expect(apps).toHaveCount(25);
});

test("a mandate is stopped in two clicks from Home; the dialog says which payments may still complete", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  await approve(page, sandboxUrl);
  await page.getByRole("button", { name: "Stop" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop Grocer Bot?" });
  await expect(dialog).toContainText("“Weekly groceries”");
  await expect(dialog).toContainText("Each payment: at most €60.00");
  await expect(dialog).toContainText(
    "A payment that is in progress or authorized before you stop the mandate may still complete",
  );
  await expect(dialog.getByRole("checkbox")).toHaveCount(0);
  await expectGoodLooks(page, "wallet-stop");
  await dialog.getByRole("button", { name: "Stop it" }).click();
  await expect(page.getByRole("status").filter({ hasText: "This mandate of Grocer Bot is stopped." })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No app can spend your money" })).toBeVisible();
  await page.getByRole("link", { name: "Mandates", exact: true }).click();
  await expect(page.getByText("Stopped")).toBeVisible();
});

test("the dialog traps the focus, closes on Escape and restores the focus", async ({ signedIn: page, sandboxUrl }) => {
  await approve(page, sandboxUrl);
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press("Tab");
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(stop).toBeFocused();
});

test("a limit is lowered immediately; a value that isn't lower is explained", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  await approve(page, sandboxUrl);
  await page.locator("article").getByRole("link", { name: "Grocer Bot" }).click();
  await page.getByRole("button", { name: "Lower: This month" }).click();
  const field = page.getByLabel("This month: new limit in EUR");
  await page.getByRole("button", { name: "Lower it" }).click();
  await expect(page.getByText("Enter less than €240.00.")).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill("1,000");
  await expect(page.getByText("Enter less than €240.00.")).toBeVisible();
  await expect(page.getByText("The limit becomes")).toHaveCount(0);
  await field.fill("99,90");
  await page.getByRole("button", { name: "Lower it" }).click();
  await expect(page.getByText("€0.00 of €99.90")).toBeVisible();
  await expect(page.getByText("You lowered a limit")).toBeVisible();
});

test("an ambiguous amount is refused, at consent and in the wallet; the parsed amount is shown first", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const caps = { currency: "KWD", max_amount_per_payment: 2_000_000, max_total_amount: 5_000_000 };
  const { url } = await pushConsentRequest(sandboxUrl, { ...caps, periodic_limits: [], step_up_above: 1_000 });
  const refusal = "“1,250” can mean KWD 1,250.000 or KWD 1.250. Enter 1250.000 or 1.250.";
  await page.goto(url);
  await lowerLimit(page, "In total", "1,250");
  await expect(page.getByText(refusal)).toBeVisible();
  await lowerLimit(page, "In total", "3,000.0");
  await expect(page.locator("main")).toContainText("At most KWD\u00a03,000.000 in total");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await page.goto(`${sandboxUrl}/wallet`);
  await page.locator("article").getByRole("link", { name: "Grocer Bot" }).click();
  await page.getByRole("button", { name: "Lower: In total" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("In total: new limit in KWD");
  await expect(field).toHaveValue("3000.000");
  await field.fill("1,250");
  await expect(dialog).not.toContainText("The limit becomes");
  await dialog.getByRole("button", { name: "Lower it" }).click();
  await expect(dialog.getByText(refusal)).toBeVisible();
  await field.fill("1250");
  await expect(dialog.getByText("The limit becomes KWD 1,250.000.")).toBeVisible();
  await dialog.getByRole("button", { name: "Lower it" }).click();
  await expect(page.getByText("KWD 0.000 of KWD 1,250.000")).toBeVisible();

  const mandateId = page.url().split("/").at(-1);
  await query((client) => client.query("UPDATE mandate SET used_amount = 30000 WHERE id = $1", [mandateId]));
  await page.reload();
  await page.getByRole("button", { name: "Lower: In total" }).click();
  await field.fill("20");
  await dialog.getByRole("button", { name: "Lower it" }).click();
  await expect(dialog).toContainText("Already used: KWD 30.000. With this limit, the mandate ends");
  await expectGoodLooks(page, "wallet-lower-and-end");
  await dialog.getByRole("button", { name: "Lower and end" }).click();
  await expect(page.getByText("Used up", { exact: true }).first()).toBeVisible();
});

/** Copies the payer's mandate; the purpose of the oldest copy is `Copy {count}`. */
const copyMandate = (payerId: string, count: number) =>
  query((client) =>
    client.query(
      `INSERT INTO mandate SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id || '_' || n,
         'purpose', 'Copy ' || n, 'created_at', m.created_at - n * interval '1 minute'))).*
         FROM mandate m, generate_series(1, $2) n WHERE m.payer_id = $1`,
      [payerId, count],
    ),
  );

test("the oldest of many mandates is stopped in two clicks from Home; scrolling or a search finds it", async ({
  signedIn: page,
  payer,
  sandboxUrl,
}) => {
  await approve(page, sandboxUrl);
  await copyMandate(payer.id, 150);
  await page.goto("/wallet");
  await expect(page.getByText("151 active mandates.")).toBeVisible();
  await expect(page.locator("article")).toHaveCount(6);
  await page.getByRole("link", { name: "All mandates" }).click();
  await expect(page.locator("article")).toHaveCount(12);
  const rows = page.getByRole("list", { name: "More active and paused mandates" });
  await expect(rows.getByRole("listitem")).toHaveCount(24);
  const oldest = rows.getByRole("listitem").filter({ hasText: "Copy 150" });
  // A failed request is repeated.
  await page.route("**/api/trpc/wallet.mandates**", (route) => route.abort(), { times: 1 });
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(oldest).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(rows.getByRole("listitem")).toHaveCount(139);
  await expectGoodLooks(page, "mandates-many");
  await oldest.getByRole("button", { name: "Stop" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop Grocer Bot?" });
  await expect(dialog).toContainText("“Copy 150”");
  await dialog.getByRole("button", { name: "Stop it" }).click();
  await expect(oldest).toHaveCount(0);
  await expect(rows.getByRole("listitem")).toHaveCount(138);

  await page.goto("/wallet");
  await page.getByLabel("Search by app, purpose or merchant").fill("copy 149");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(dialog).toContainText("“Copy 149”");
});

test("without JavaScript, a link below the rows opens the paged list of mandates", async ({
  signedIn: page,
  payer,
  browser,
  sandboxUrl,
}) => {
  await approve(page, sandboxUrl);
  await copyMandate(payer.id, 60);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ baseURL: sandboxUrl, storageState, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto("/wallet/mandates");
  await plain.getByRole("link", { name: "All active and paused" }).click();
  for (const count of [24, 24, 13]) {
    await expect(plain.locator("article")).toHaveCount(count);
    if (count === 24) await plain.getByRole("link", { name: "Older" }).click();
  }
  await context.close();
});

test("Stop can end every mandate of an agent", async ({ signedIn: page, payer, sandboxUrl }) => {
  await approve(page, sandboxUrl);
  await copyMandate(payer.id, 30);
  await page.goto("/wallet/mandates?show=live");
  await page.getByRole("button", { name: "Stop" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Stop Grocer Bot?" });
  await expect(dialog.getByText("and 27 more")).toBeVisible();
  await dialog.getByRole("checkbox", { name: "Also stop the 30 other mandates of Grocer Bot" }).check();
  await expect(dialog).toContainText("New payments stop immediately for every mandate of Grocer Bot.");
  await expectGoodLooks(page, "wallet-stop-all");
  await dialog.getByRole("button", { name: "Stop all 31" }).click();
  await expect(page.getByRole("heading", { name: "No active or paused mandates" })).toBeVisible();
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "No app can spend your money" })).toBeVisible();
});

test("the wallet lists charges, keeps their filter in the URL, and shows the used part of a limit", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { merchant, mandateId } = await openApprovedMandate(page, sandboxUrl);
  const charged = await merchantPost(
    { merchant, merchantToken: await clientToken(merchant) },
    "/merchant_test/charge",
    {
      body: {
        mandate_id: mandateId,
        amount: 1_250,
        currency: "EUR",
        payer_presence: "off_session",
      },
      headers: { "idempotency-key": "browser-test" },
    },
  );
  expect(charged.status).toBe(201);
  await page.reload();
  await expect(page.getByText("€12.50 of €240.00")).toBeVisible();

  await page.goto(`${sandboxUrl}/wallet/activity`);
  await expect(page.getByRole("cell", { name: "€12.50" })).toBeVisible();
  await page.getByLabel("Status").selectOption({ label: "Declined, canceled or expired" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/show=failed/);
  await expect(page.getByRole("heading", { name: "No matching payments" })).toBeVisible();
});

test("another payer's mandate and a malformed id look like a mandate that doesn't exist", async ({
  signedIn: page,
}) => {
  for (const id of ["mdt_unknown", "%00"]) {
    const answer = await page.goto(`/wallet/mandates/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Mandate not found" })).toBeVisible();
  }
});
