import { postJson } from "../../support/answers/wire.ts";
import { verifyMerchant } from "../../support/oauth/directory.ts";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { expect, expectGoodLooks } from "../fixtures.ts";
import { test } from "./merchant-fixtures.ts";

test.use({ role: "developer" });

test("a developer gets a software statement, registers a client with it, and revokes it", async ({
  dashboard: page,
  member,
  sandboxUrl,
}) => {
  await page.goto("/merchant/apps");
  await expect(page.getByRole("heading", { name: "No statements yet" })).toBeVisible();
  // Without a verified domain, the page offers to verify one, and the form refuses.
  await expect(page.getByRole("link", { name: "Verify a domain" })).toBeVisible();
  await page.goto("/merchant/apps/new-statement");
  await page.getByLabel("Name").fill("Grocer Bot");
  await page.getByLabel("Software ID").fill("grocer-bot");
  await page.getByLabel("Redirect URIs").fill("https://evil.example/callback");
  const { publicJwk } = await makeKey();
  const keys = page.getByLabel("Public keys");
  await keys.fill(JSON.stringify({ ...publicJwk, d: "secret" }));
  const submit = page.getByRole("button", { name: "Get statement" });
  await submit.click();
  await expect(page.getByText("This text contains a private key.")).toBeVisible();
  await keys.fill(JSON.stringify({ keys: [publicJwk] }));
  await submit.click();
  await expect(page.getByText("needs a verified domain")).toBeVisible();
  await verifyMerchant(member.merchantId, "grocer.example");
  await submit.click();
  await expect(page.getByText("Enter https addresses on your verified domains")).toBeVisible();
  await expectGoodLooks(page, "merchant-statement-form");
  await page.getByLabel("Redirect URIs").fill("https://app.grocer.example/callback");
  await submit.click();
  const statement = (await page.getByText(/^eyJ/).textContent()) ?? "";
  await expectGoodLooks(page, "merchant-statement");
  const register = () => postJson(`${sandboxUrl}/oauth/register`, { software_statement: statement });
  const answer = await register();
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json).toMatchObject({
    client_name: "Grocer Bot",
    redirect_uris: ["https://app.grocer.example/callback"],
  });
  await page.getByRole("link", { name: "I have copied it" }).click();
  const row = page.getByRole("row", { name: /Grocer Bot/ });
  await expect(row).toContainText("grocer-bot");
  expect(await page.content()).not.toContain(statement);
  await row.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("dialog")).toContainText("Clients that were registered with it keep working");
  await page.getByRole("button", { name: "Revoke statement" }).click();
  await expect(row).toContainText("Revoked");
  await expectGoodLooks(page, "merchant-statements");
  expect((await register()).json).toMatchObject({ error: "unapproved_software_statement" });
});
