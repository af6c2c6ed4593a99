import type { Page } from "@playwright/test";
import { answers } from "../../support/peers/webhook-receiver.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { holdScripts } from "../hold-scripts.ts";
import { addMerchantEvent, test } from "./merchant-fixtures.ts";

const addEndpoint = async (page: Page, url: string): Promise<void> => {
  await page.goto("/merchant/webhooks/new");
  await page.getByLabel("URL").fill(url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByRole("heading", { name: "Webhook endpoint" })).toBeVisible();
};

const ageAuthentication = (accountId: string): Promise<void> =>
  query(async (client) => {
    await client.query("UPDATE session SET auth_time = now() - interval '6 minutes' WHERE account_id = $1", [
      accountId,
    ]);
  });

test("signing in opens the dashboard for a member, and the wallet for a payer", async ({ page, member, payer }) => {
  for (const [who, path] of [
    [member, "/merchant"],
    [payer, "/wallet"],
  ] as const) {
    await page.goto("/wallet");
    await page.getByLabel("E-mail").fill(who.email);
    await page.getByLabel("Password").fill(who.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await page.context().clearCookies();
  }
});

test("the empty page explains endpoints; an account without a merchant has no dashboard", async ({
  dashboard: page,
  browser,
  signInAnother,
  sandboxUrl,
}) => {
  await page.goto("/merchant/webhooks");
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  const banner = page.getByRole("region", { name: "Merchant and environment" });
  await expect(banner).toContainText("Fresh Market");
  await expect(banner).toContainText("Sandbox: no real money moves. The processor is simulated.");
  await expect(banner.getByRole("link", { name: "Go to production" })).toHaveAttribute("href", /\/merchant$/);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInAnother(context);
  const other = await context.newPage();
  await other.goto("/merchant/webhooks");
  await expect(other).toHaveURL(/\/merchant\/new$/);
});

test("an endpoint is added: errors are shown at their fields, and the secret is shown once", async ({
  dashboard: page,
  receiver,
}) => {
  await page.goto("/merchant/webhooks");
  await page.getByRole("link", { name: "Add endpoint" }).click();
  await page.getByLabel("URL").fill("http://intranet.example/hooks");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(
    page.getByText(
      "The URL must use https on port 443, or http on a loopback IP address. Enter a URL like https://shop.example/webhooks.",
      { exact: true },
    ),
  ).toBeVisible();
  await page.getByLabel("Selected events").check();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("Choose at least one event.")).toBeVisible();
  await page.getByLabel("charge.succeeded").check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const secret = page.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  await expectGoodLooks(page, "merchant-webhooks-secret");
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByRole("heading", { name: "Webhook endpoint" })).toBeVisible();
  await expect(page.getByText("charge.succeeded")).toBeVisible();
  await page.reload();
  await expect(secret).toHaveCount(0);
  await expectGoodLooks(page, "merchant-webhooks-endpoint");
});

test("an attempt is shown with request and response, and its event is resent (docs/spec/payments.md, Webhooks)", async ({
  dashboard: page,
  member,
  receiver,
}) => {
  receiver.behave(answers(500, "out of order"));
  await addEndpoint(page, receiver.url);
  await addMerchantEvent(member.merchantId);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  await page.goto("/merchant/webhooks?event=invoice.paid&outcome=pending");
  await page.getByRole("link", { name: "invoice.paid" }).click();
  await expect(page).toHaveURL(/\/whd_/);
  // The page refreshes itself while an attempt is due.
  const first = page.getByRole("listitem").filter({ hasText: "Attempt 1: Status 500" });
  await expect(first.getByText("out of order")).toBeVisible();
  const [sent] = receiver.received;
  await expect(page.getByText(sent?.body ?? "nothing", { exact: false })).toBeVisible();
  expect(sent?.body).toContain(member.merchantId);
  await expect(first.getByText(`webhook-timestamp: ${sent?.headers["webhook-timestamp"]}`)).toBeVisible();
  await expect(page.getByText("webhook-signature: (not shown)")).toBeVisible();
  await expectGoodLooks(page, "merchant-delivery");
  receiver.behave((_received, response) => void response.writeHead(200).end("thanks"));
  const firstUrl = page.url();
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText("Original delivery")).toBeVisible();
  expect(page.url()).not.toBe(firstUrl);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Attempt 1: Status 200")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1);
  await page.goto("/merchant/webhooks");
  // The first delivery may have been retried in the meantime.
  await expect(page.getByRole("row", { name: /Delivered/ }).first()).toBeVisible();
  await expectGoodLooks(page, "merchant-webhooks");
  await page.getByLabel("Outcome").selectOption({ label: "Failed" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/outcome=failed/);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
});

test("a changed URL and event selection apply to the next delivery", async ({ dashboard: page, member, receiver }) => {
  await addEndpoint(page, `${receiver.url}/former`);
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("URL")).toHaveValue(`${receiver.url}/former`);
  await expect(page.getByLabel(/^All events/)).toBeChecked();
  await page.getByLabel("URL").fill("http://intranet.example/hooks");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(
    page.getByText(
      "The URL must use https on port 443, or http on a loopback IP address. Enter a URL like https://shop.example/webhooks.",
      { exact: true },
    ),
  ).toBeVisible();
  await page.getByLabel("URL").fill(`${receiver.url}/present`);
  await page.getByLabel("Selected events").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Choose at least one event.")).toBeVisible();
  await expectGoodLooks(page, "merchant-webhooks-change");
  await page.getByLabel(/^All events/).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Webhook endpoint" })).toBeVisible();
  await expect(page.getByText(`${receiver.url}/present`).first()).toBeVisible();
  await expect(page.getByText(`${receiver.url}/former`)).toHaveCount(0);
  await addMerchantEvent(member.merchantId);
  await expect.poll(() => receiver.received.map(({ path }) => path)).toEqual(["/hooks/present"]);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Selected events").check();
  await page.getByLabel("charge.captured").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("charge.captured", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("charge.captured")).toBeChecked();
  await expect(page.getByLabel("charge.succeeded")).not.toBeChecked();
});

test("switching off, rotating the secret and deleting explain their effect and ask for confirmation", async ({
  dashboard: page,
  receiver,
}) => {
  await addEndpoint(page, receiver.url);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("signed with both secrets");
  await expectGoodLooks(page, "merchant-webhooks-rotate");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  await expect(dialog.getByText(/^whsec_/)).toBeVisible();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByText(/^Previous secret, used until/)).toBeVisible();
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await expect(dialog).toContainText("pending retries are canceled");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Switch off", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Switch off endpoint" }).click();
  await expect(page.getByRole("button", { name: "Switch on" })).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog).toContainText("This can’t be undone");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
});

test("changing a secret or URL requires a recent authentication and keeps the typed text (docs/spec/portal.md, Recent authentication)", async ({
  dashboard: page,
  member,
  receiver,
}) => {
  await page.goto("/merchant/webhooks/new");
  await page.getByLabel("URL").fill(receiver.url);
  await ageAuthentication(member.id);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("URL")).toHaveValue(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await proof.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await expect(proof.getByText("The password is wrong. Check it and try again.")).toBeVisible();
  await proof.getByLabel("Password").fill(member.password);
  await proof.getByRole("button", { name: "Confirm and add" }).click();
  const secret = page.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  const first = await secret.textContent();
  await page.getByRole("link", { name: "I have copied it" }).click();
  await ageAuthentication(member.id);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  await expectGoodLooks(page, "merchant-webhooks-proof");
  await proof.getByLabel("Password").fill(member.password);
  await page.keyboard.press("Enter");
  await expect(secret).toBeVisible();
  expect(await secret.textContent()).not.toBe(first);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await ageAuthentication(member.id);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Selected events").check();
  await page.getByLabel("charge.captured").check();
  await page.getByRole("button", { name: "Save" }).click();
  await proof.getByLabel("Password").fill(member.password);
  await proof.getByRole("button", { name: "Confirm and save" }).click();
  await expect(page.getByText("charge.captured", { exact: true })).toBeVisible();
});

test("another merchant's endpoint looks like one that doesn't exist", async ({ dashboard: page }) => {
  for (const path of ["whe_unknown", "deliveries/whd_unknown", "whe_unknown/edit"]) {
    const answer = await page.goto(`/merchant/webhooks/${path}`);
    expect(answer?.status()).toBe(404);
  }
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("a member of several merchants selects one, and a URL that names a merchant selects it", async ({
  dashboard: page,
  member,
  receiver,
  joinAnother,
}) => {
  await addEndpoint(page, receiver.url);
  await joinAnother("Book Barn");
  await page.goto("/merchant/webhooks");
  const choice = page.getByRole("combobox", { name: "Merchant" });
  await choice.selectOption({ label: "Fresh Market (owner)" });
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto("/merchant/webhooks");
  const link = page.getByRole("link", { name: receiver.url });
  const endpoint = await link.getAttribute("href");
  await choice.selectOption({ label: "Book Barn (viewer)" });
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto("/merchant/webhooks");
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add endpoint" })).toHaveCount(0);

  expect((await page.goto(`${endpoint}`))?.status()).toBe(404);
  await expect(page.getByText("select that merchant first")).toBeVisible();
  await page.goto(`${endpoint}?merchant=${member.merchantId}`);
  await expect(page.getByText("as owner")).toBeVisible();
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await expect(link).toBeVisible();
});

test("if a merchant is selected before the script runs, this tab and other tabs show that merchant", async ({
  dashboard: page,
  context,
  joinAnother,
}) => {
  await joinAnother("Book Barn");
  const other = await context.newPage();
  await other.goto("/merchant/payments");
  await expect(other.getByText("as viewer")).toBeVisible();
  const release = await holdScripts(page);
  await page.goto("/merchant", { waitUntil: "commit" });
  await page.getByRole("combobox", { name: "Merchant" }).selectOption({ label: "Fresh Market (owner)" });
  release();
  await expect(page.getByText("as owner")).toBeVisible();
  await expect(other.getByText("as owner")).toBeVisible();
  await expect(other.getByRole("combobox", { name: "Merchant" }).locator("option:checked")).toHaveText(
    "Fresh Market (owner)",
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a member of several merchants selects one", async ({ dashboard: page, joinAnother }) => {
    await joinAnother("Book Barn");
    await page.goto("/merchant");
    await expect(page.getByText("as viewer")).toBeVisible();
    await page.getByRole("combobox", { name: "Merchant" }).selectOption({ label: "Fresh Market (owner)" });
    await page.getByRole("button", { name: "Switch" }).click();
    await expect(page.getByText("as owner")).toBeVisible();
  });
});
