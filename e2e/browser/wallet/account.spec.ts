import { pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, type Payer, query, test } from "../fixtures.ts";

/** The payer's newest e-mail has a link that switches off e-mails of its kind. @returns this link. */
const choiceLink = async ({ email }: Payer): Promise<string> =>
  query(async (client) => {
    const { rows } = await client.query("SELECT text FROM mail WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1", [
      email,
    ]);
    return /\/notifications\?token=\S+/.exec(rows[0]?.text ?? "")?.[0] ?? "";
  });

test("an e-mail about an approval has a link that switches off this kind of e-mail, and the link needs no sign-in (docs/spec/portal.md, Notifications)", async ({
  signedIn: page,
  payer,
  sandboxUrl,
  browser,
}) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await query((client) => client.query("UPDATE account SET locale = 'de-DE' WHERE id = $1", [payer.id]));
  const context = await browser.newContext({ baseURL: sandboxUrl, locale: "en-GB" });
  const visitor = await context.newPage();
  await visitor.goto(await choiceLink(payer));
  await expect(visitor.getByRole("heading", { name: "Genehmigte Anfragen" })).toBeVisible();
  await expect(visitor.getByText("Sie erhalten diese Art von E-Mails.")).toBeVisible();
  await expectGoodLooks(visitor, "mail-choice");
  await visitor.getByRole("button", { name: "Diese E-Mails abbestellen" }).click();
  await expect(visitor.getByText("Sie erhalten diese Art von E-Mails nicht mehr.")).toBeVisible();
  await page.goto(`${sandboxUrl}/wallet/notifications`);
  await expect(page.getByRole("checkbox", { name: /^Genehmigte Anfragen/ })).not.toBeChecked();
  await visitor.getByRole("button", { name: "Diese E-Mails wieder erhalten" }).click();
  await expect(visitor.getByText("Sie erhalten diese Art von E-Mails.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: /^Genehmigte Anfragen/ })).toBeChecked();
  await context.close();
});

test("an error of an action is in the payer's language (docs/spec/portal.md, Languages)", async ({
  signedIn: page,
  payer,
  sandboxUrl,
}) => {
  const { url } = await pushConsentRequest(sandboxUrl);
  await page.goto(url);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
  await query((client) => client.query("UPDATE account SET locale = 'de-DE' WHERE id = $1", [payer.id]));
  await page.goto(`${sandboxUrl}/wallet`);
  const card = page.locator("article", { hasText: "Grocer Bot" });
  await expect(card).toBeVisible();
  const stop = "UPDATE mandate SET state = 'revoked', ended_at = now() WHERE payer_id = $1";
  await query((client) => client.query(stop, [payer.id]));
  await card.getByRole("button", { name: "Pausieren" }).click();
  await expect(page.getByText("Das Mandat wurde gestoppt. Deshalb ist diese Aktion nicht möglich.")).toBeVisible();
});

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
});

test("a payer exports the data and downloads it (docs/spec/portal.md, Privacy)", async ({ signedIn: page, payer }) => {
  await page.goto("/wallet/privacy");
  await page.getByRole("button", { name: "Export my data" }).click();
  const link = page.getByRole("link", { name: /^Download the export/ });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^paygrant-exp_\w+\.json$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  expect(JSON.parse(String(Buffer.concat(chunks))).account.id).toBe(payer.id);
});

test("a deletion can be canceled with Keep my account (docs/spec/portal.md, Privacy)", async ({ signedIn: page }) => {
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
