import { postJson } from "../../support/answers/wire.ts";
import { verifyMerchant } from "../../support/oauth/directory.ts";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { expect, expectGoodLooks } from "../fixtures.ts";
import { test } from "./merchant-fixtures.ts";

test.use({ role: "developer" });

test("a developer creates an agent token, an agent registers with it, and the token is revoked", async ({
  dashboard: page,
  member,
  sandboxUrl,
}) => {
  await verifyMerchant(member.merchantId, "agents.example");
  await page.goto("/merchant/directory");
  await page.getByRole("link", { name: "New token" }).click();
  await expect(page.getByRole("heading", { name: "New agent token" })).toBeVisible();
  await expect(page.getByLabel("Uses")).toHaveAttribute("max", "100");
  await expect(page.getByLabel("directory.write")).not.toBeChecked();
  await page.getByLabel("Name").fill("Grocer Bot");
  await page.getByLabel("Uses").fill("2");
  await expectGoodLooks(page, "merchant-agent-token-form");
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("Copy the token now.")).toBeVisible();
  const token = (await page.getByText(/^[\w-]{43}$/).textContent()) ?? "";
  await expectGoodLooks(page, "merchant-agent-token");

  const { publicJwk } = await makeKey();
  const agent = {
    client_name: "Grocer Bot",
    redirect_uris: ["https://app.agents.example/callback"],
    jwks: { keys: [publicJwk] },
    scope: "grant_management_query",
  };
  const register = () => postJson(`${sandboxUrl}/oauth/register`, agent, { authorization: `Bearer ${token}` });
  const answer = await register();
  expect(answer.status, answer.text).toBe(201);

  await page.getByRole("link", { name: "I have copied it" }).click();
  const row = page.getByRole("row", { name: /Grocer Bot/ });
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await expectGoodLooks(page, "merchant-directory-agent-tokens");
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("Revoked");
  expect((await register()).status).toBe(401);
});
