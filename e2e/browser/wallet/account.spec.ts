import { expect, expectGoodLooks, test } from "../fixtures.ts";

test("a payer chooses optional e-mails, and the choice is kept (docs/spec/portal.md, Notifications)", async ({
  signedIn: page,
}) => {
  await page.goto("/wallet/notifications");
  const choice = page.getByRole("checkbox", { name: /^Limits almost used up/ });
  await expect(choice).toBeChecked();
  await choice.uncheck();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeAttached();
  await page.reload();
  await expect(choice).not.toBeChecked();
  await expectGoodLooks(page, "wallet-notifications");
});

test("a payer exports the data and downloads it (docs/spec/portal.md, Privacy)", async ({ signedIn: page, payer }) => {
  await page.goto("/wallet/privacy");
  await page.getByRole("button", { name: "Export my data" }).click();
  const link = page.getByRole("link", { name: /^Download the export/ });
  await expect(link).toBeVisible({ timeout: 60_000 });
  await expectGoodLooks(page, "wallet-privacy");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^paygrant-exp_\w+\.json$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  expect(JSON.parse(String(Buffer.concat(chunks))).account.id).toBe(payer.id);
});

test("a deletion can be cancelled with Keep my account (docs/spec/portal.md, Privacy)", async ({ signedIn: page }) => {
  await page.goto("/wallet/privacy");
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await expect(dialog.getByText("All your mandates stop now.")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
  await expectGoodLooks(page, "wallet-deletion");
  await page.getByRole("button", { name: "Keep my account" }).click();
  await expect(page.getByText(/^Your account will be deleted on/)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Delete my account" })).toBeVisible();
});
