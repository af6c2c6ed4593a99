import { textOf } from "../../support/answers/wire.ts";
import { charge, makeChargeableMandate } from "../../support/oauth/mandate-flow.ts";
import { expect, expectGoodLooks, query, signInBySession } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

const payerOf = (mandateId: string) =>
  query(async (client) => {
    const text = "SELECT a.id, a.email FROM mandate m JOIN account a ON a.id = m.payer_id WHERE m.id = $1";
    const { rows } = await client.query<{ id: string; email: string }>(text, [mandateId]);
    if (!rows[0]) throw new Error("no such mandate");
    return rows[0];
  });

test("an operator finds a charge by the start of its reference and follows it to its payer (docs/spec/portal.md, Operator console)", async ({
  console: page,
  sandboxUrl,
}) => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const reference = `order ${mandate.mandateId.slice(-8)}`;
  expect((await charge(mandate, { reference })).status).toBe(201);
  const holder = await payerOf(mandate.mandateId);

  await page.goto("/operator/charges");
  await expect(page).toHaveTitle("Charges · Operator · Paygrant");
  await page.getByLabel("Reference, merchant or ID").fill(reference.slice(0, -1));
  await page.getByLabel("Status").selectOption("Succeeded");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/q=order.*state=succeeded/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectGoodLooks(page, "operator-charges");
  await page.getByRole("link", { name: reference }).click();
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Webhook deliveries" })).toBeVisible();
  await expect(page).toHaveTitle(/^Charge .*, order .* · Operator · Paygrant$/);
  await expectGoodLooks(page, "operator-charge");
  await expect(page.getByRole("link", { name: mandate.mandateId })).toBeVisible();
  await page.getByRole("link", { name: holder.email }).click();

  await expect(page).toHaveTitle(`Payer ${holder.email} · Operator · Paygrant`);
  // The payer of the demo has newer mandates and charges of other tests.
  await expect(page.getByRole("table", { name: "Mandates" }).getByRole("link").first()).toBeVisible();
  await expect(page.locator('a[href^="/operator/charges/chg_"]').first()).toBeVisible();
  await expectGoodLooks(page, "operator-payer");
  await page.goto("/operator/charges?show=review");
  await expect(page).toHaveTitle("Charges needing review · Operator · Paygrant");
});

// Other tests share the session of the mandates' payer, so this test uses a different payer.
test("an operator finds a payer and ends the payer's sessions with a reason (docs/spec/portal.md, Payers in the console)", async ({
  console: page,
  payer,
  browser,
  sandboxUrl,
}) => {
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, payer, { baseUrl: sandboxUrl });
  const wallet = await context.newPage();
  await wallet.goto("/wallet");
  await expect(wallet).toHaveURL(/\/wallet$/);

  await page.goto("/operator/payers");
  await page.getByLabel("E-mail, name or account ID").fill(payer.email.slice(0, 20));
  await page.getByRole("button", { name: "Filter" }).click();
  await expectGoodLooks(page, "operator-payers");
  await page.locator(`a[href="/operator/payers/${payer.id}"]`).click();
  await expect(page).toHaveTitle(`Payer ${payer.email} · Operator · Paygrant`);
  await page.getByRole("button", { name: "End all sessions" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("A laptop was stolen");
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("“A laptop was stolen”")).toBeVisible();
  await expect(page.getByRole("button", { name: "End all sessions" })).toHaveCount(0);
  await wallet.reload();
  await expect(wallet).toHaveURL(/\/sign-in/);
  await context.close();

  await page.goto("/operator/payers?q=unknown-address");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  expect((await page.goto("/operator/payers/acc_unknown"))?.status()).toBe(404);
});

test("an operator sees a dispute with its deadline, and deletes the agent that requested the charge (docs/spec/portal.md, Clients in the console)", async ({
  console: page,
  sandboxUrl,
}) => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const chargeId = textOf(await charge(mandate), "id");
  await query(async (client) => {
    await client.query(
      `INSERT INTO dispute (id, charge_id, merchant_id, mandate_id, status, amount, currency, reason, dispute_ref, created_at,
                            next_lookup_at, evidence_due_at)
       SELECT 'dsp_e2e' || right(id, 12), id, merchant_id, mandate_id, 'open', amount, currency, 'product_not_received',
              'dp_e2e', created_at, now() + interval '1 day', now() + interval '20 days' FROM charge WHERE id = $1`,
      [chargeId],
    );
  });
  await page.goto("/operator/disputes");
  await expect(page).toHaveTitle("Disputes · Operator · Paygrant");
  await page.getByLabel("Status").selectOption("Open");
  await page.getByLabel("Reason").selectOption("Product not received");
  await page.getByLabel("Reference or ID").fill(chargeId);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/status=open&reason=product_not_received/);
  await expectGoodLooks(page, "operator-disputes");
  await page.getByRole("link", { name: "Product not received" }).click();
  await expect(page.getByRole("heading", { name: "Disputes" })).toBeVisible();
  await expectGoodLooks(page, "operator-charge-disputed");

  const agent = page.locator('a[href^="/operator/clients/"]').first();
  const clientId = (await agent.getAttribute("href"))?.split("/").at(-1) ?? "";
  await agent.click();
  await expect(page.getByRole("heading", { name: "Keys" })).toBeVisible();
  await expect(page).toHaveTitle(/^Client .* · Operator · Paygrant$/);
  await expectGoodLooks(page, "operator-client");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("It spends for strangers");
  await dialog.getByRole("button", { name: "Delete client" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("“It spends for strangers”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toHaveCount(0);
  expect((await charge(mandate)).status).toBe(403);
  await page.goto(`/operator/clients?q=${clientId}&state=deleted`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.goto("/operator/clients");
  await expectGoodLooks(page, "operator-clients");
});
