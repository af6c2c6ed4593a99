import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { merchantPost } from "../../support/oauth/mandate-flow.ts";
import { clientToken, type Merchant } from "../../support/oauth/parties.ts";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { makePendingCharge, openApprovedMandate } from "./pending-charge.ts";

type Call = { path: string; body: object; key: string };

const post = async (merchant: Merchant, { path, body, key }: Call) => {
  const caller = { merchant, merchantToken: await clientToken(merchant) };
  const answer = await merchantPost(caller, path, { body, headers: { "idempotency-key": key } });
  expect(answer.status, answer.text).toBeLessThan(300);
  return String(answer.json?.["id"]);
};

const pay = (merchant: Merchant, mandateId: string, fields: object = {}) => {
  const order = { amount: 1_250, currency: "EUR", payer_presence: "off_session", reference: "Order 77" };
  const body = { mandate_id: mandateId, ...order, ...fields };
  return post(merchant, { path: "/merchant_test/charge", body, key: encodeURIComponent(JSON.stringify(fields)) });
};

const announce = (merchant: Merchant, mandateId: string) => {
  const due_at = new Date(Date.now() + 48 * 3_600_000).toISOString();
  const body = { mandate_id: mandateId, amount: 1_999, currency: "EUR", due_at, reference: "Invoice 12" };
  return post(merchant, { path: "/merchant_test/charge-notices", body, key: "notice" });
};

const download = async (page: Page, name: string): Promise<{ fileName: string; content: Buffer }> => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return { fileName: file.suggestedFilename(), content: await readFile(await file.path()) };
};

test("a charge opens from Home with its refund, its timeline and receipts, and is exported as CSV", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { merchant, mandateId } = await openApprovedMandate(page, sandboxUrl);
  const chargeId = await pay(merchant, mandateId, { reference: "=1+1" });
  await pay(merchant, mandateId, { metadata: { simulate: "webhook_twice" }, amount: 300 });
  const refund = { amount: 250, reason: "requested_by_customer" };
  await post(merchant, { path: `/merchant_test/charges/${chargeId}/refunds`, body: refund, key: "refund" });

  await page.goto("/wallet");
  await expect(page).toHaveTitle("Home · Wallet · Paygrant");
  const chart = page.getByRole("figure", { name: /^Spent in / });
  await expect(chart).toContainText("Grocer Bot spent €13.00 in 2 payments, after refunds.");
  await expect(chart.getByRole("row", { name: /Grocer Bot/ })).toContainText("€13.00");

  await page.getByRole("row", { name: /=1\+1/ }).getByRole("link", { name: "Fresh Market" }).click();
  await expect(page).toHaveTitle("Payment of €12.50 at Fresh Market · Wallet · Paygrant");
  await expect(page.getByRole("row", { name: /You requested it/ })).toContainText("€2.50");
  await expect(page.getByText("Refunded: €2.50")).toBeVisible();
  await expectGoodLooks(page, "charge");
  const pdf = await download(page, "PDF");
  expect([pdf.fileName, pdf.content.toString("latin1", 0, 5)]).toEqual([`${chargeId}.pdf`, "%PDF-"]);
  expect((await download(page, "PDF")).content.equals(pdf.content)).toBe(true);
  const json = JSON.parse((await download(page, "JSON")).content.toString());
  expect(json).toMatchObject({ type: "charge_receipt", charge: { id: chargeId, amount: 1_250, amount_refunded: 250 } });

  await page.getByRole("link", { name: "All activity" }).click();
  await page.getByLabel("Agent").selectOption({ label: "Grocer Bot" });
  await page.getByLabel("Merchant").selectOption({ label: "Fresh Market" });
  await page.getByLabel("Status").selectOption({ label: "Refunded or disputed" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/agent=cl_test_.*merchant=mch_.*show=refunded/);
  await expect(page.getByRole("row", { name: /Fresh Market/ })).toHaveCount(2);
  const csv = (await download(page, "Export CSV")).content.toString();
  expect(csv.split("\r\n")).toHaveLength(4);
  expect(csv).toContain(`${chargeId},`);
  expect(csv).toContain(",'=1+1,Refunded,EUR,2.50,,,Refund");
  expect(csv).toContain(",'=1+1,Partially refunded,EUR,12.50,12.50,2.50,Payment");
  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page.getByRole("row", { name: /Fresh Market/ })).toHaveCount(2);
  await expectGoodLooks(page, "activity-filtered");
  await page.getByLabel("Kind").selectOption({ label: "Refunds" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/kind=refund/);
  const refundRow = page.getByRole("row", { name: /Fresh Market/ });
  await expect(refundRow).toContainText(/Refund · =1\+1.*\+€2\.50/);
  await refundRow.getByRole("link", { name: "Fresh Market" }).click();
  await expect(page).toHaveTitle("Payment of €12.50 at Fresh Market · Wallet · Paygrant");
});

test("a charge notice is e-mailed and listed; its page can pause the mandate, and opening the page doesn't pause it", async ({
  signedIn: page,
  sandboxUrl,
  payer,
}) => {
  const { merchant, mandateId } = await openApprovedMandate(page, sandboxUrl);
  await page.goto("/wallet/upcoming");
  await expect(page.getByRole("heading", { name: "No announced payments" })).toBeVisible();
  const noticeId = await announce(merchant, mandateId);
  const text = await query(async (client) => {
    const sql = "SELECT text FROM mail WHERE recipient = $1 AND kind = 'charge_announced'";
    return (await client.query<{ text: string }>(sql, [payer.email])).rows[0]?.text ?? "";
  });
  expect(text).toContain("€19.99");
  expect(text).toContain(`/wallet/upcoming/${noticeId}`);
  await page.goto(`/wallet/upcoming/${noticeId}`);
  await expect(page).toHaveTitle("Fresh Market will charge €19.99 · Wallet · Paygrant");
  const pause = page.getByRole("button", { name: "Pause this mandate" });
  await expect(pause).toBeVisible();
  await expectGoodLooks(page, "upcoming-notice");
  await pause.click();
  await expect(page.getByText("The mandate is paused, so Fresh Market can’t charge this payment.")).toBeVisible();
  await page.getByRole("link", { name: "All announced payments" }).click();
  await expect(page.getByRole("row", { name: /Invoice 12/ })).toContainText("Mandate paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("row", { name: /Invoice 12/ }).getByText("Announced")).toBeVisible();
  await expectGoodLooks(page, "upcoming");
  await pay(merchant, mandateId, { amount: 1_999, reference: "Invoice 12" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "No announced payments" })).toBeVisible();
  await page.getByRole("link", { name: "Earlier announced payments" }).click();
  await expect(page.getByRole("row", { name: /Invoice 12/ })).toContainText("Charged");
});

test("a canceled payment is shown as canceled on the open approval page, without a reload", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const pending = await makePendingCharge(page, sandboxUrl);
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await pending.cancel();
  await expect(page.getByText("Fresh Market canceled it before you decided.")).toBeVisible();
});

test("a mandate is stopped with the keyboard only, and its page shows what each change did", async ({
  signedIn: page,
  sandboxUrl,
  ageProof,
  payer,
}) => {
  const { mandateId } = await openApprovedMandate(page, sandboxUrl);
  await expect(page).toHaveTitle("Mandate for Weekly groceries, up to €60.00 · Wallet · Paygrant");
  await expect(page.getByText("Test Payer (")).toBeVisible();
  await ageProof();
  await page.getByRole("button", { name: "Change the payment method" }).click();
  await page.getByRole("button", { name: "Use it" }).click();
  const stepUp = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await stepUp.getByLabel("Password").fill(payer.password);
  await page.keyboard.press("Enter");
  const change = "You changed the payment method from Visa ending in 4242 to Mastercard ending in 4444";
  await expect(page.getByText(change)).toBeVisible();
  await page.getByRole("button", { name: "Lower: Each payment" }).click();
  await page.getByLabel("Each payment: new limit in EUR").fill("50.00");
  await page.getByRole("button", { name: "Lower it" }).click();
  await expect(page.getByText("Each payment: €60.00 → €50.00")).toBeVisible();
  await expectGoodLooks(page, "mandate-history");
  const receipt = JSON.parse((await download(page, "JSON")).content.toString());
  expect(receipt).toMatchObject({
    mandate: { id: mandateId, version: 3, payment_method: "Mastercard ending in 4444" },
  });
  expect((await download(page, "PDF")).content.toString("latin1", 0, 5)).toBe("%PDF-");

  await page.goto("/wallet");
  const focused = page.locator(":focus");
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if ((await focused.textContent()) === "Stop") break;
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Stop Grocer Bot?" })).toBeVisible();
  for (let presses = 0; presses < 5; presses++) {
    if ((await focused.textContent()) === "Stop it") break;
    await page.keyboard.press("Tab");
  }
  await expect(focused).toHaveText("Stop it");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No app can spend your money" })).toBeVisible();
});

test("the wallet is in German for a German payer", async ({ signedIn: page, sandboxUrl, payer }) => {
  const { merchant, mandateId } = await openApprovedMandate(page, sandboxUrl);
  const chargeId = await pay(merchant, mandateId);
  const noticeId = await announce(merchant, mandateId);
  await query((client) => client.query("UPDATE account SET locale = 'de-DE' WHERE id = $1", [payer.id]));
  const pages: [path: string, heading: string | RegExp][] = [
    ["/wallet", "Start"],
    ["/wallet/mandates", "Mandate"],
    [`/wallet/mandates/${mandateId}`, "Grocer Bot"],
    ["/wallet/upcoming", "Angekündigt"],
    [`/wallet/upcoming/${noticeId}`, /^Fresh Market wird 19,99/],
    ["/wallet/activity", "Umsätze"],
    [`/wallet/activity/${chargeId}`, /^12,50.* bei Fresh Market$/],
    ["/wallet/approvals", "Freigaben"],
    ["/wallet/payment-methods", "Zahlungsmittel"],
  ];
  for (const [path, heading] of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect(page.locator("main")).not.toContainText(/\b(the|your|payment|limit of|mandate is|ending in)\b/i);
  }
  await expect(page.getByText("Visa mit den Endziffern 4242").first()).toBeVisible();
  await page.goto("/wallet/unknown");
  await expect(page).toHaveTitle(/^Seite nicht gefunden · /);
  await page.goto("/wallet");
  await expectGoodLooks(page, "wallet-german");
  await page.getByRole("button", { name: "Stoppen" }).click();
  await expect(page.getByRole("dialog", { name: "Grocer Bot stoppen?" })).toContainText("Neue Zahlungen sind sofort");
});
