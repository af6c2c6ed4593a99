import { calculateJwkThumbprint, exportJWK } from "jose";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

test("an admin blocks a leaked key after seeing which clients have it (docs/spec/portal.md, Client-key blocklist)", async ({
  console: page,
  sandboxUrl,
}) => {
  const key = await makeKey();
  const [thumbprint, merchant] = [
    await calculateJwkThumbprint(key.publicJwk),
    await registerMerchant(sandboxUrl, { key }),
  ];
  await page.goto("/operator");
  await page.getByRole("link", { name: "Client-key blocklist" }).click();
  await page.getByRole("link", { name: "Block a key" }).click();
  await expect(page.getByRole("heading", { name: "Block a key", level: 1 })).toBeVisible();

  // A private key doesn't leave the browser.
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  const field = page.getByLabel("Public JWK or thumbprint");
  const privateJwk = await exportJWK(key.privateKey);
  await field.fill(JSON.stringify(privateJwk));
  await page.getByRole("button", { name: "Check key" }).click();
  await expect(field).toHaveAccessibleDescription(/This is a private key, so it wasn’t sent/);
  expect(sent.filter((body) => body.includes(privateJwk.d ?? ""))).toEqual([]);
  await field.fill("not a key");
  await page.getByRole("button", { name: "Check key" }).click();
  await expect(field).toHaveAccessibleDescription(/This isn’t a thumbprint or a JWK/);
  await expect(field).toHaveValue("not a key");

  await field.fill(JSON.stringify(key.publicJwk));
  await page.getByRole("button", { name: "Check key" }).click();
  await expect(page.getByText("One client has this key.")).toBeVisible();
  const clients = page.getByRole("list", { name: "Clients that have this key" });
  await expect(clients.getByText(merchant.id)).toBeVisible();
  await expect(clients).toContainText("It has no other key.");
  await expectGoodLooks(page, "block-key");
  await page.getByLabel("Reason").fill("Published in a repository");
  await page.getByRole("button", { name: "Block key" }).click();

  const row = page.getByRole("row").filter({ hasText: thumbprint });
  await expect(row).toContainText("Published in a repository");
  await expect(row.getByRole("cell", { name: "1", exact: true })).toBeVisible();
  await expectGoodLooks(page, "blocklist");
  await expect(clientToken(merchant)).rejects.toThrow();

  await page.goto(`/operator/blocklist?q=${thumbprint.slice(0, 12)}`);
  await page.getByRole("button", { name: `Unblock key ${thumbprint}` }).click();
  const dialog = page.getByRole("dialog", { name: "Unblock this key?" });
  await dialog.getByLabel("Reason").fill("It was another key");
  await dialog.getByRole("button", { name: "Unblock key" }).click();
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  expect(await clientToken(merchant)).not.toBe("");
});

test("a viewer reads the list and can't change it", async ({ console: page, operator }) => {
  await query(async (client) => {
    await client.query("UPDATE account SET operator_role = 'viewer' WHERE id = $1", [operator.id]);
    await client.query(
      `INSERT INTO blocked_client_key (thumbprint, thumbprint_hash, reason, blocked_by, blocked_at)
       VALUES ($1, $1, 'Weak key', $2, now())`,
      [operator.id.padEnd(43, "_").slice(0, 43), operator.id],
    );
  });
  await page.goto("/operator/blocklist?q=Weak");
  await expect(page.getByRole("cell", { name: "Weak key" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /Unblock/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Block a key" })).toHaveCount(0);
  expect((await page.goto("/operator/blocklist/new"))?.status()).toBe(404);
});
