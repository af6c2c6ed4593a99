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

test("operators suspend, resume and revoke a mandate, with reasons that the payer doesn't see (docs/spec/payments.md, Mandate states)", async ({
  console: page,
  browser,
  sandboxUrl,
}) => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const payer = await payerOf(mandate.mandateId);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, payer, { baseUrl: sandboxUrl });
  const wallet = await context.newPage();
  const perform = async (button: string, verb: string, reason: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name: verb }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(`“${reason}”`)).toBeVisible();
  };

  await page.goto("/operator/mandates");
  // The newest mandate is listed without a search.
  await expect(page.locator(`a[href="/operator/mandates/${mandate.mandateId}"]`)).toBeVisible();
  await page.getByLabel("Payer’s e-mail").fill("no-such-payer");
  await page.getByRole("button", { name: "Search" }).click();
  await expectGoodLooks(page, "operator-mandates-no-results");
  await page.getByRole("link", { name: "Clear the search" }).click();
  await page.getByLabel("Payer’s e-mail").fill(payer.email.slice(0, -4));
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator(`a[href="/operator/mandates/${mandate.mandateId}"]`).click();

  await perform("Suspend", "Suspend mandate", "The payer called us");
  expect((await charge(mandate)).json).toMatchObject({ status: 403, reasons: [{ code: "mandate_suspended" }] });
  await wallet.goto(`/wallet/mandates/${mandate.mandateId}`);
  await expect(wallet.getByText("Paygrant paused it")).toBeVisible();
  expect(await wallet.content()).not.toContain("The payer called us");

  await perform("Lift suspension", "Lift suspension", "The payer confirmed it");
  expect((await charge(mandate)).status).toBe(201);
  await perform("Revoke", "Revoke mandate", "Requested by letter");
  await expect(page.getByRole("button", { name: "Suspend", exact: true })).toHaveCount(0);
  expect((await charge(mandate)).status).toBe(403);
  await context.close();
});

test("operators change the category of a merchant; an unknown category is refused (docs/spec/payments.md, Who may use a mandate)", async ({
  console: page,
  sandboxUrl,
}) => {
  const { merchant } = await makeChargeableMandate(sandboxUrl);
  await page.goto(`/operator/merchants/${merchant.merchantId}`);
  await page.getByRole("button", { name: "Change category" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Category").fill("1234");
  await dialog.getByLabel("Reason").fill("They cook now");
  await dialog.getByRole("button", { name: "Change category" }).click();
  await expect(dialog.getByText(/Enter a merchant category code that is in use/)).toBeVisible();
  await dialog.getByLabel("Category").fill("5812");
  await dialog.getByRole("button", { name: "Change category" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^\d{4} → 5812$/)).toBeVisible();
  await expect(page.getByText("“They cook now”")).toBeVisible();
});
