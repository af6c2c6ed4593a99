import type { Page } from "@playwright/test";
import { merchantPost } from "../../support/oauth/mandate-flow.ts";
import { clientToken, type Merchant } from "../../support/oauth/parties.ts";
import { pushConsentRequest } from "../consent/consent-request.ts";
import { expect } from "../fixtures.ts";

type PendingCharge = { chargeId: string; status(): Promise<unknown>; cancel(): Promise<unknown> };

/** Approves a mandate with a step-up threshold of €40.00, and opens its page. */
export const openApprovedMandate = async (
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

/** Approves a mandate like `openApprovedMandate`, and makes a charge of €45.00 that needs the payer's approval. */
export const makePendingCharge = async (
  page: Page,
  sandboxUrl: string,
  fields: object = {},
): Promise<PendingCharge> => {
  const { merchant, mandateId } = await openApprovedMandate(page, sandboxUrl);
  return charge(merchant, mandateId, fields);
};

const charge = async (merchant: Merchant, mandateId: string, fields: object): Promise<PendingCharge> => {
  const caller = { merchant, merchantToken: await clientToken(merchant) };
  const order = { amount: 4_500, currency: "EUR", payer_presence: "in_session", reference: "Order 1042" };
  const send = () =>
    merchantPost(caller, "/merchant_test/charge", {
      body: { mandate_id: mandateId, ...order, ...fields },
      headers: { "idempotency-key": "k" },
    });
  const created = await send();
  expect(created.json).toMatchObject({ status: "requires_action" });
  const chargeId = String(created.json?.["id"]);
  return {
    chargeId,
    status: async () => {
      const { json } = await send();
      return json?.["code"] ?? json?.["status"];
    },
    cancel: () =>
      merchantPost(caller, `/merchant_test/charges/${chargeId}/void`, {
        body: {},
        headers: { "idempotency-key": "v" },
      }),
  };
};
