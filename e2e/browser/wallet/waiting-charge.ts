import type { Page } from "@playwright/test";
import { merchantPost } from "../../support/oauth/mandate-flow.ts";
import { clientToken, type Merchant } from "../../support/oauth/parties.ts";
import { pushConsentRequest } from "../consent/consent-request.ts";
import { expect } from "../fixtures.ts";

type Asked = { chargeId: string; status(): Promise<unknown>; cancel(): Promise<unknown> };

/** A mandate that asks above €40.00, approved by the signed-in payer, whose page is open then. */
export const openApproved = async (
  page: Page,
  sandboxUrl: string,
): Promise<{ merchant: Merchant; mandateId: string }> => {
  const { url, merchant, site } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await site.answer;
  await page.goto(`${sandboxUrl}/wallet/mandates`);
  await page.locator("article").getByRole("link", { name: "Grocer Bot" }).click();
  await expect(page).toHaveURL(/\/wallet\/mandates\/mdt_/);
  return { merchant, mandateId: new URL(page.url()).pathname.split("/").at(-1) ?? "" };
};

/** With a charge of €45.00 under it. */
export const makeWaiting = async (page: Page, sandboxUrl: string, fields: object = {}): Promise<Asked> => {
  const { merchant, mandateId } = await openApproved(page, sandboxUrl);
  return charge(merchant, mandateId, fields);
};

const charge = async (merchant: Merchant, mandateId: string, fields: object): Promise<Asked> => {
  const caller = { merchant, merchantToken: await clientToken(merchant) };
  const order = { amount: 4_500, currency: "EUR", payer_presence: "in_session", reference: "Order 1042" };
  const ask = () =>
    merchantPost(
      caller,
      "/merchant_test/charge",
      { mandate_id: mandateId, ...order, ...fields },
      { "idempotency-key": "k" },
    );
  const asked = await ask();
  expect(asked.json).toMatchObject({ status: "requires_action" });
  const chargeId = String(asked.json?.["id"]);
  return {
    chargeId,
    status: async () => {
      const { json } = await ask();
      return json?.["code"] ?? json?.["status"];
    },
    cancel: () => merchantPost(caller, `/merchant_test/charges/${chargeId}/void`, {}, { "idempotency-key": "v" }),
  };
};
