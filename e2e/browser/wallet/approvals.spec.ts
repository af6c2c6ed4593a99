import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { makeWaiting } from "./waiting-charge.ts";

test("from Home the payer finds what waits, approves it, and the merchant's charge goes on", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "Fresh Market asks for €45.00" })).toBeVisible();
  await page.getByRole("link", { name: "Approvals", exact: true }).click();
  await expect(page.getByText("For Order 1042 · Asked by Grocer Bot · answer by")).toBeVisible();
  await expectGoodLooks(page, "approvals");
  await page.getByRole("link", { name: "Review" }).click();
  await expect(page).toHaveTitle(/Fresh Market asks for €45.00/);
  await expect(page.getByText(/1[0-4]:\d\d left/)).toBeVisible();
  await expect(page.getByText("each payment above €40.00")).toBeVisible();
  await expect(page.getByText("€45.00 held, €195.00 left")).toBeVisible();
  const sizes = await Promise.all(
    ["Decline", "Approve"].map((name) => page.getByRole("button", { name, exact: true }).boundingBox()),
  );
  expect(sizes.map((box) => [box?.width, box?.height])).toEqual([
    [sizes[0]?.width, sizes[0]?.height],
    [sizes[0]?.width, sizes[0]?.height],
  ]);
  await expectGoodLooks(page, "approval");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect(await asked.status()).toBe("succeeded");
});

test("after 5 minutes it asks for the password again; a wrong one approves nothing", async ({
  signedIn: page,
  sandboxUrl,
  payer,
  ageProof,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await ageProof();
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  const password = dialog.getByLabel("Password");
  await password.fill("not it");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("That isn’t your password.")).toBeVisible();
  await expectGoodLooks(page, "approval-step-up");
  expect(await asked.status()).toBe("requires_action");
  await password.fill(payer.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await asked.status()).toBe("succeeded");
});

test("declining needs no password, frees what was held and tells the merchant", async ({
  signedIn: page,
  sandboxUrl,
  ageProof,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await ageProof();
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined it. Nothing was charged, and Fresh Market was told.")).toBeVisible();
  await expect(page.getByText("€0.00 of €240.00")).toBeVisible();
  expect(await asked.status()).toBe("declined_by_payer");
  await page.getByRole("link", { name: "All approvals" }).click();
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  await expectGoodLooks(page, "approvals-empty");
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "Mandates" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /failed/ })).toHaveCount(0);
});

test("a page that went stale says how it ended, and asks no more", async ({ signedIn: page, sandboxUrl }) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await asked.cancel();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Fresh Market called it off before you answered.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expectGoodLooks(page, "approval-withdrawn");
});

test("while the mandate is paused it says what is in the way; resumed, it can be approved", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Everything is paused")).toBeVisible();
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await expect(page.getByText("The mandate is paused, so nothing can be charged under it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toBeDisabled();
  await page.getByRole("link", { name: "See the mandate" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("link", { name: "Needs you" }).first().click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
});

test("where the bank asks too, it leads there after the approval", async ({ signedIn: page, sandboxUrl }) => {
  const asked = await makeWaiting(page, sandboxUrl, { metadata: { simulate: "requires_action" } });
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved it. Your bank wants to know that it’s you, too")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue at your bank" })).toHaveAttribute("href", /^http/);
  await query(async (client) => {
    const over = `jsonb_set(next_action, '{expires_at}', to_jsonb('2026-01-01T00:00:00Z'::text))`;
    await client.query(`UPDATE charge SET next_action = ${over} WHERE id = $1`, [asked.chargeId]);
  });
  await page.reload();
  await expect(page.getByText("The 15 minutes to confirm it at your bank are over")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue at your bank" })).toHaveCount(0);
  await page.goto("/wallet/approvals");
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
});

test("it names the card that it was asked for on, and approves nothing once the payer has removed that", async ({
  signedIn: page,
  sandboxUrl,
  payer,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  await query(async (client) => {
    const other = "SELECT id FROM payment_method WHERE payer_id = $1 AND processor_ref = 'pm_card_mastercard'";
    await client.query(`UPDATE mandate SET payment_method_id = (${other}) WHERE payer_id = $1`, [payer.id]);
  });
  await page.goto(`/wallet/approvals/${asked.chargeId}`);
  await expect(page.getByText("€45.00 is paid with Visa ending 4242 at once")).toBeVisible();
  await expect(page.getByText("the mandate pays with Mastercard ending 4444 since")).toBeVisible();
  await query(async (client) => {
    const visa = "payer_id = $1 AND processor_ref = 'pm_card_visa'";
    await client.query(`UPDATE payment_method SET removed_at = now() WHERE ${visa}`, [payer.id]);
  });
  await page.reload();
  await expect(page.getByText("The payment method that it was asked for on is gone.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toBeDisabled();
  await expectGoodLooks(page, "approval-card-gone");
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined it.")).toBeVisible();
});

test("another payer's payment looks like one that doesn't exist", async ({
  signedIn: page,
  sandboxUrl,
  browser,
  signInAnother,
}) => {
  const asked = await makeWaiting(page, sandboxUrl);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInAnother(context);
  const other = await context.newPage();
  for (const id of [asked.chargeId, "chg_nobodys"]) {
    const answer = await other.goto(`/wallet/approvals/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(other.getByRole("heading", { name: "Payment not found" })).toBeVisible();
  }
  await context.close();
});
