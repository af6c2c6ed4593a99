import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { makeInitialAccessToken, registerMerchant } from "../../support/oauth/parties.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/peers/webhook-receiver.ts";
import { test as base, makeBrowserPayer, type Payer, query, signInBySession } from "../fixtures.ts";

export type Role = "owner" | "admin" | "developer" | "viewer";
export type Member = Payer & { merchantId: string };

export const makeDashboardMerchant = async (name: string): Promise<string> => {
  const merchantId = `mch_e2e${randomBytes(9).toString("hex")}`;
  await query(async (client) => {
    await client.query(
      `INSERT INTO merchant (id, display_name, legal_name, mcc, processor, processor_account, created_at)
       VALUES ($1, $2, $2, '5411', 'simulator', 'acct_' || $1, now())`,
      [merchantId, name],
    );
  });
  return merchantId;
};

/** Registers an app of the merchant. The first app creates the merchant's entry in the directory. */
export const registerApp = async (merchantId: string, sandboxUrl: string): Promise<void> => {
  const { token } = await makeInitialAccessToken("sandbox", "merchant", { merchant: merchantId });
  await registerMerchant(sandboxUrl, { headers: { authorization: `Bearer ${token}` } });
};

/** Makes an account a member of a merchant. */
export const join = (payer: Payer, merchantId: string, role: Role): Promise<void> =>
  query(async (client) => {
    await client.query(
      "INSERT INTO merchant_member (merchant_id, account_id, role, created_at) VALUES ($1, $2, $3, now())",
      [merchantId, payer.id, role],
    );
  });

/** Adds an event of the merchant, which the workers deliver to its endpoints. */
export const addMerchantEvent = (merchantId: string): Promise<void> =>
  query(async (client) => {
    const id = `evt_e2e${randomBytes(9).toString("hex")}`;
    await client.query(
      `INSERT INTO event (id, type, object_id, sequence, data, created_at)
       VALUES ($1, 'invoice.paid', $2, 1, jsonb_build_object('merchant_id', $3::text), now())`,
      [id, `inv_${id.slice(4)}`, merchantId],
    );
  });

/** Fills in the form for a new merchant or the form for its business details. */
export const fillDetails = async (page: Page, name: string) => {
  await page.getByLabel("Legal name").fill(`${name} Ltd`);
  await page.getByLabel("Display name").fill(name);
  await page.getByLabel("Country").selectOption({ label: "Germany" });
  await page.getByLabel("Website").fill("bakery.example");
  await page.getByRole("combobox", { name: "Category" }).pressSequentially("bakeri");
  await page.getByRole("option", { name: "5462 Bakeries" }).click();
  await page.getByLabel("Currency").selectOption("EUR");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
};

type Fixtures = {
  role: Role;
  member: Member;
  dashboard: Page;
  receiver: WebhookReceiver;
  /** makes the member a member of another merchant */
  joinAnother: (name: string) => Promise<string>;
};

/** A new merchant for each test, and a signed-in member of it. */
export const test = base.extend<Fixtures>({
  role: ["owner", { option: true }],
  member: async ({ role }, use) => {
    const payer = await makeBrowserPayer();
    const merchantId = await makeDashboardMerchant("Fresh Market");
    await join(payer, merchantId, role);
    await use({ ...payer, merchantId });
  },
  dashboard: async ({ page, context, member, sandboxUrl }, use) => {
    await signInBySession(context, member, { baseUrl: sandboxUrl });
    await use(page);
  },
  receiver: async ({ browserName: _ }, use) => {
    const receiver = await startWebhookReceiver();
    await use(receiver);
    receiver.close();
  },
  joinAnother: async ({ member }, use) =>
    use(async (name) => {
      const merchantId = await makeDashboardMerchant(name);
      await join(member, merchantId, "viewer");
      return merchantId;
    }),
});
