import { charge, merchantPost } from "../../support/oauth/mandate-flow.ts";
import { clientToken } from "../../support/oauth/parties.ts";
import { lowerLimit, pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectWholeFigures } from "../fixtures.ts";
import { join, test } from "../merchant/merchant-fixtures.ts";

/** The largest amount, in the currencies with the longest texts (docs/spec/payments.md, Mandate fields). */
const maxAmount = 99_999_999_999;

for (const [currency, justBelow] of [
  ["KWD", "99999999.998"],
  ["IDR", "999999999.98"],
] as const) {
  test(`amounts of ${currency} of any size don't wrap at 360 px on any page`, async ({
    dashboard: page,
    member,
    sandboxUrl,
  }) => {
    const whole = (name: string) => expectWholeFigures(page, `${name}-${currency}`);
    const { url, merchant, site } = await pushConsentRequest(sandboxUrl, {
      currency,
      max_amount_per_payment: maxAmount,
      max_total_amount: maxAmount,
      periodic_limits: [{ period: "quarter", alignment: "consent", max_amount: maxAmount - 1, max_payments: 1_000 }],
      step_up_above: 80_000_000_000,
    });
    await page.goto(url);
    await lowerLimit(page, "In total", "1");
    await whole("consent");
    await lowerLimit(page, "In total", "");
    await page.getByRole("button", { name: "Approve" }).click();
    await site.answer;
    await page.goto(`${sandboxUrl}/wallet/mandates`);
    await whole("mandates");
    await page.locator("article").getByRole("link", { name: "Grocer Bot" }).click();
    await expect(page).toHaveURL(/\/wallet\/mandates\/mdt_/);
    const mandateId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    const mandate = { merchant, merchantToken: await clientToken(merchant), mandateId };
    const fields = { currency, payer_presence: "in_session", reference: "order-1" };
    const paid = await charge(mandate, { ...fields, amount: 12_345_678_901 });
    expect(paid.status, paid.text).toBe(201);
    const refund = `/merchant_test/charges/${paid.json?.["id"]}/refunds`;
    await merchantPost(mandate, refund, { body: { amount: 1_234_567_890 }, headers: { "idempotency-key": "r" } });
    await charge(mandate, { ...fields, amount: 3_456_789_012, capture_method: "manual", reference: "order-2" });
    await charge(mandate, { ...fields, amount: 80_000_000_001, reference: "order-3" });

    await page.reload();
    await whole("mandate");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByRole("dialog")).toContainText("Each payment: at most");
    await whole("stop");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Lower: In total" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(justBelow);
    await expect(page.getByText("The limit becomes")).toBeVisible();
    await whole("lower");
    for (const path of ["wallet", "wallet/activity", "wallet/approvals"]) {
      await page.goto(`${sandboxUrl}/${path}`);
      await whole(path.replace("/", "-"));
    }
    await page.getByRole("link", { name: "Review" }).click();
    await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
    await whole("approval");

    await join(member, merchant.merchantId, "owner");
    await page.goto(`${sandboxUrl}/merchant`);
    await page.getByRole("combobox", { name: "Merchant" }).selectOption(merchant.merchantId);
    await expect(page.getByRole("link", { name: "order-1" })).toBeVisible();
    await whole("merchant");
    await page.goto(`${sandboxUrl}/merchant/payments`);
    await whole("merchant-payments");
    await page.getByRole("link", { name: "order-1" }).click();
    await page.getByRole("button", { name: "Refund" }).click();
    await expect(page.getByText("You refund")).toBeVisible();
    await whole("merchant-refund");
    await page.keyboard.press("Escape");
    await whole("merchant-payment");
  });
}
