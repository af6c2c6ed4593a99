import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { makePendingCharge } from "./pending-charge.ts";

test("from Home the payer opens a pending payment and approves it, and the merchant's charge continues", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "Fresh Market asks for €45.00" })).toBeVisible();
  await page.getByRole("link", { name: "Approvals", exact: true }).click();
  await expect(page.getByText("For Order 1042 · Agent: Grocer Bot · approve by")).toBeVisible();
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
  expect(await pending.status()).toBe("succeeded");
});

test("after 5 minutes the page asks for the password again; a wrong password approves nothing", async ({
  signedIn: page,
  sandboxUrl,
  payer,
  ageProof,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await ageProof();
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  const password = dialog.getByLabel("Password");
  await password.fill("not it");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The password is wrong.")).toBeVisible();
  await expectGoodLooks(page, "approval-step-up");
  expect(await pending.status()).toBe("requires_action");
  await password.fill(payer.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await pending.status()).toBe("succeeded");
});

test("declining needs no password, releases the held amount and notifies the merchant", async ({
  signedIn: page,
  sandboxUrl,
  ageProof,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await ageProof();
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined it. Nothing was charged, and Fresh Market was notified.")).toBeVisible();
  await expect(page.getByText("€0.00 of €240.00")).toBeVisible();
  expect(await pending.status()).toBe("declined_by_payer");
  await page.getByRole("link", { name: "All approvals" }).click();
  await expect(page.getByRole("heading", { name: "No payments to approve" })).toBeVisible();
  await expectGoodLooks(page, "approvals-empty");
  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "Mandates" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /failed/ })).toHaveCount(0);
});

test("an outdated page shows the outcome after a click, without buttons", async ({ signedIn: page, sandboxUrl }) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  const { promise: clicked, resolve: release } = Promise.withResolvers<void>();
  // The page also refreshes itself.
  await page.route(/_rsc=/, (route) => clicked.then(() => route.continue()));
  await pending.cancel();
  await page.getByRole("button", { name: "Approve" }).click();
  release();
  await expect(page.getByText("Fresh Market canceled it before you decided.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expectGoodLooks(page, "approval-withdrawn");
});

test("the page shows that the mandate is paused; after Resume the payment can be approved", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("All mandates are paused.")).toBeVisible();
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await expect(page.getByText("The mandate is paused, so this payment can’t be made.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toBeDisabled();
  await page.getByRole("link", { name: "See the mandate" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("link", { name: "Waiting for you" }).first().click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
});

test("if the bank must authenticate the payer too, the page links to the bank after the approval", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl, { metadata: { simulate: "requires_action" } });
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved it. Your bank also needs to confirm that it’s you")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue at your bank" })).toHaveAttribute("href", /^http/);
  await query(async (client) => {
    const expired = `jsonb_set(next_action, '{expires_at}', to_jsonb('2026-01-01T00:00:00Z'::text))`;
    await client.query(`UPDATE charge SET next_action = ${expired} WHERE id = $1`, [pending.chargeId]);
  });
  await page.reload();
  await expect(page.getByText("The 15 minutes for confirming the payment at your bank are over")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue at your bank" })).toHaveCount(0);
  await page.goto("/wallet/approvals");
  await expect(page.getByRole("heading", { name: "No payments to approve" })).toBeVisible();
});

test("the page names the card of the payment; after the payer removes the card, the payment can't be approved", async ({
  signedIn: page,
  sandboxUrl,
  payer,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await query(async (client) => {
    const other = "SELECT id FROM payment_method WHERE payer_id = $1 AND processor_ref = 'pm_card_mastercard'";
    await client.query(`UPDATE mandate SET payment_method_id = (${other}) WHERE payer_id = $1`, [payer.id]);
  });
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await expect(page.getByText("€45.00 is paid immediately with Visa ending in 4242")).toBeVisible();
  await expect(page.getByText("the mandate now uses Mastercard ending in 4444")).toBeVisible();
  await query(async (client) => {
    const visa = "payer_id = $1 AND processor_ref = 'pm_card_visa'";
    await client.query(`UPDATE payment_method SET removed_at = now() WHERE ${visa}`, [payer.id]);
  });
  await page.reload();
  await expect(page.getByText("The payment method of this payment was removed.")).toBeVisible();
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
  const pending = await makePendingCharge(page, sandboxUrl);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInAnother(context);
  const other = await context.newPage();
  for (const id of [pending.chargeId, "chg_unknown"]) {
    const answer = await other.goto(`/wallet/approvals/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(other.getByRole("heading", { name: "Payment not found" })).toBeVisible();
  }
  await context.close();
});
