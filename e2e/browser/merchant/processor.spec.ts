import type { BrowserContext, Page } from "@playwright/test";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";
import { startStripeStandIn } from "#server/processors/stripe/stand-in.fixture.ts";
import { textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { type ChargeableMandate, charge, mandateDetails, obtainMandate } from "../../support/oauth/mandate-flow.ts";
import { clientToken, makeInitialAccessToken, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";
import {
  ageProofOf,
  expect,
  expectGoodLooks,
  makeBrowserPayer,
  type Payer,
  query,
  signInBySession,
} from "../fixtures.ts";
import { test } from "../operator/operator-fixtures.ts";
import { fillDetails } from "./merchant-fixtures.ts";

// This test starts its own service. Its production environment uses Stripe's stand-in, which this process runs.
const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
let standIn: Awaited<ReturnType<typeof startStripeStandIn>>;
let instance: TestInstance;
let before: NodeJS.ProcessEnv;

test.beforeAll(async () => {
  standIn = await startStripeStandIn(secretKey);
  const settings = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: standIn.url };
  instance = await startTestInstance(await testEnvironment(settings));
  before = { ...process.env };
  Object.assign(process.env, await describeInstance(instance));
  const { productionUrl } = currentInstance();
  standIn.connected.deliverTo({ url: `${productionUrl}/processors/stripe/webhook`, secret: webhookSecret });
});

test.afterAll(async () => {
  Object.assign(process.env, before);
  await instance?.stop();
  await instance?.remove();
  await standIn?.close();
});

const production = "production" as const;

/** The person's only merchant. */
const merchantOf = (person: Payer): Promise<string> =>
  query(async (client) => {
    const text = "SELECT merchant_id AS id FROM merchant_member WHERE account_id = $1";
    return String((await client.query(text, [person.id])).rows[0]?.id);
  }, production);

/** An agent's mandate for the merchant. Its charges use a card that the demo payer has at Stripe. */
const makeMandate = async (merchantId: string): Promise<ChargeableMandate> => {
  const { productionUrl } = currentInstance();
  await query(
    (client) =>
      client.query(
        `UPDATE payment_method SET processor = 'stripe', processor_ref = $1
          WHERE payer_id = (SELECT id FROM account WHERE email = 'payer@demo.paygrant.test')`,
        [standIn.keep("pm_card_visa")],
      ),
    production,
  );
  const [forAgent, forMerchant] = await Promise.all([
    makeInitialAccessToken(production, "agent"),
    makeInitialAccessToken(production, "merchant", { merchant: merchantId }),
  ]);
  const bearer = ({ token }: { token: string }) => ({ headers: { authorization: `Bearer ${token}` } });
  const [agent, merchant] = await Promise.all([
    registerAgent(productionUrl, bearer(forAgent)),
    registerMerchant(productionUrl, bearer(forMerchant)),
  ]);
  const granted = await obtainMandate(agent, mandateDetails(merchantId));
  return { agent, merchant: { ...merchant, merchantId }, merchantToken: await clientToken(merchant), ...granted };
};

const startSelling = async (context: BrowserContext, name: string): Promise<{ page: Page; person: Payer }> => {
  const { productionUrl } = currentInstance();
  const person = await makeBrowserPayer(production);
  await signInBySession(context, person, { baseUrl: productionUrl, environment: production });
  const page = await context.newPage();
  await page.goto("/merchant/new");
  await fillDetails(page, name);
  await page.getByRole("button", { name: "Start selling" }).click();
  await expect(page.getByText("waiting for approval")).toBeVisible();
  return { page, person };
};

test("a new merchant of production connects Stripe after the approval, and charges until Stripe stops it", async ({
  browser,
  productionConsole: console,
}) => {
  const context = await browser.newContext({ baseURL: currentInstance().productionUrl });
  const name = "Harbour Bakery";
  const { page, person } = await startSelling(context, name);
  const merchantId = await merchantOf(person);
  await page.goto("/merchant/settings");
  await expect(page.getByText("You can connect Stripe after Paygrant approves the merchant.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Connect Stripe" })).toHaveCount(0);
  await console.goto(`/operator/merchants/${merchantId}`);
  await console.getByRole("button", { name: "Approve" }).click();
  await console.getByLabel("Reason").fill("Known shop");
  await console.getByRole("button", { name: "Approve merchant" }).click();
  await expect(console.getByText("This merchant is approved, but it can’t charge until its account")).toBeVisible();

  await page.goto("/merchant");
  await expect(page.getByText("Its Stripe account isn’t connected yet.")).toBeVisible();
  await page.getByRole("link", { name: "Go to the settings" }).click();
  await expect(page.getByRole("button", { name: "Connect Stripe" })).toBeVisible();
  await expectGoodLooks(page, "merchant-processor-new");
  const mandate = await makeMandate(merchantId);
  expect(textOf(await charge(mandate), "type")).toMatch(/#processor_not_connected$/);

  await ageProofOf(person, production);
  await page.getByRole("button", { name: "Connect Stripe" }).click();
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Confirm and continue" }).click();
  await expect(page.getByRole("heading", { name: "Stripe stand-in" })).toBeVisible();
  await page.getByRole("button", { name: "Submit, and another detail is needed" }).click();
  await expect(page).toHaveTitle(/^Stripe account · Merchant/);
  await expect(page.getByText("Details needed", { exact: true })).toBeVisible();
  await expect(page.getByText("Document of the company")).toBeVisible();
  await expectGoodLooks(page, "merchant-processor-return-details");

  await page.getByRole("button", { name: "Continue at Stripe" }).click();
  await expect(page.getByRole("heading", { name: "Stripe stand-in" })).toBeVisible();
  // The link to Stripe's page works only once.
  await page.reload();
  await expect(page).toHaveTitle(/^Stripe account · Merchant/);
  await expectGoodLooks(page, "merchant-processor-refresh");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Complete, with a review" }).click();
  await expect(page.getByText("In review", { exact: true })).toBeVisible();
  const [account] = [...standIn.connected.accounts.values()];
  expect(standIn.connected.accounts.size).toBe(1);
  standIn.connected.submit(account?.id ?? "", "complete");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Enabled", { exact: true })).toBeVisible();
  await expectGoodLooks(page, "merchant-processor-return-enabled");

  const paid = await charge(mandate);
  expect([paid.status, paid.json?.["status"]]).toEqual([201, "succeeded"]);
  expect([...standIn.intents.values()]).toMatchObject([{ account: account?.id, amount: 1_250 }]);
  await page.goto("/merchant");
  await expect(page.getByText("can’t charge")).toHaveCount(0);

  standIn.connected.demand(account?.id ?? "", ["company.tax_id"], new Date(Date.now() + 7 * 86_400_000));
  await standIn.connected.sendEvent(account?.id ?? "");
  await page.reload();
  await expect(page.getByText("Stripe needs more details")).toBeVisible();
  await page.getByRole("link", { name: "See details" }).click();
  await expect(page.getByText("Tax number of the company")).toBeVisible();
  await expectGoodLooks(page, "merchant-processor-due");
  standIn.connected.restrict(account?.id ?? "", ["company.tax_id"]);
  await standIn.connected.sendEvent(account?.id ?? "");
  expect(textOf(await charge(mandate), "type")).toMatch(/#processor_not_connected$/);
  await page.reload();
  await expect(page.getByText("Restricted", { exact: true })).toBeVisible();
  await expectGoodLooks(page, "merchant-processor-restricted");
  await console.reload();
  await expect(console.getByText("Restricted", { exact: true })).toBeVisible();
  await expectGoodLooks(console, "operator-merchant-processor");
  await context.close();
});
