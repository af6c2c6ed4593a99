import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { postJson } from "../../support/answers/wire.ts";
import { signAssertion } from "../../support/oauth/oauth-client.ts";
import { clientToken } from "../../support/oauth/parties.ts";
import { expect, expectGoodLooks } from "../fixtures.ts";
import { test as operatorTest } from "../operator/operator-fixtures.ts";
import { test } from "./merchant-fixtures.ts";

/** Sends the request of the shell command that the page shows. */
const send = (command: string) => {
  const [, url = "", authorization = "", body = ""] =
    /^curl (\S+) .*?'Authorization: ([^']+)'.*?-d '(.+)'$/s.exec(command) ?? [];
  return postJson(url, JSON.parse(body), { authorization });
};

test.describe("a developer", () => {
  test.use({ role: "developer" });

  test("creates an initial access token, registers an app with it and a generated key, and revokes another token", async ({
    dashboard: page,
    member,
  }) => {
    await page.goto("/merchant/apps");
    await expect(page.getByRole("heading", { name: "No apps yet" })).toBeVisible();
    await page.getByRole("link", { name: "New token" }).click();
    await page.getByLabel("Name").fill("Deployment");
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Create token" }).click();
    await expect(page.getByText("Choose at least one scope.")).toBeVisible();
    await page.getByLabel("charges.read").check();
    await page.getByRole("button", { name: "Create token" }).click();
    const command = page.getByText(/^curl /);
    await page.getByRole("button", { name: "Generate key pair" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download private key" }).click(),
    ]);
    const { d, ...publicJwk } = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(d).toMatch(/^[\w-]{43}$/);
    await expectGoodLooks(page, "merchant-apps-token");
    const answer = await send((await command.textContent()) ?? "");
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({
      merchant_id: member.merchantId,
      scope: "charges.read",
      jwks: { keys: [publicJwk] },
    });
    expect((await send((await command.textContent()) ?? "")).status).toBe(401);
    const token = /Bearer ([\w-]{43})/.exec((await command.textContent()) ?? "")?.[1] ?? "";
    await page.getByRole("link", { name: "I have copied it" }).click();
    await expect(page.getByRole("row", { name: /My app/ })).toContainText(publicJwk.kid);
    await expect(page.getByRole("row", { name: /Deployment/ })).toContainText("Used up");
    expect(await page.content()).not.toContain(token);
    await page.getByLabel("Search apps").fill("another app");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("row", { name: /My app/ })).toHaveCount(0);
    await expectGoodLooks(page, "merchant-apps-no-results");
    await page.getByRole("link", { name: "Clear the search" }).click();
    await expect(page.getByRole("row", { name: /My app/ })).toBeVisible();
    await page.getByRole("link", { name: "New token" }).click();
    await page.getByLabel("Name").fill("Left over");
    await page.getByLabel("charges.read").check();
    await page.getByRole("button", { name: "Create token" }).click();
    const leftOver = (await command.textContent()) ?? "";
    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Revoke Left over" }).click();
    await expect(page.getByRole("dialog")).toContainText("Apps that were registered with it keep working");
    await page.getByRole("button", { name: "Revoke token" }).click();
    await expect(page.getByRole("row", { name: /Left over/ })).toContainText("Revoked");
    expect((await send(leftOver)).json).toMatchObject({
      error_description: "the initial access token has been revoked",
    });
  });
});

test.describe("an admin", () => {
  test.use({ role: "admin" });

  test("registers apps with a generated key pair and with a pasted public key", async ({
    dashboard: page,
    sandboxUrl,
  }) => {
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.postData() ?? ""));
    await page.goto("/merchant/apps");
    await page.getByRole("link", { name: "Register app" }).click();
    await page.getByLabel("Name").fill("Checkout");
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await page.getByLabel(/^Verify and charge mandates/).check();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(3);
    await page.getByRole("button", { name: "Register app" }).click();
    await expect(page.getByRole("button", { name: "I have saved the private key" })).toBeDisabled();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download private key" }).click(),
    ]);
    const { d, ...publicJwk } = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(sent.some((body) => body.includes(publicJwk.x))).toBe(true);
    await expectGoodLooks(page, "merchant-apps-registered");
    const clientId = (await page.getByText(/^cl_test_/).textContent()) ?? "";
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const privateKey = await crypto.subtle.importKey("jwk", { ...publicJwk, d }, algorithm, false, ["sign"]);
    const party = { id: clientId, baseUrl: sandboxUrl, registration: {}, publicJwk, privateKey };
    const assertion = await signAssertion(party, sandboxUrl, { header: { kid: publicJwk.kid } });
    expect(await clientToken(party, { client_assertion: assertion })).toMatch(/^ey/);
    await page.getByRole("link", { name: "I have saved the private key" }).click();
    await expect(page.getByRole("heading", { name: "Checkout" })).toBeVisible();
    await expect(page).toHaveTitle(/App Checkout/);
    await page.goto("/merchant/apps/register");
    await page.getByLabel("Name").fill("Back office");
    await page.getByLabel(/^Refund and look up/).check();
    await page.getByLabel(/^Paste/).check();
    await page.getByRole("textbox", { name: "Public key" }).fill("not a key");
    await page.getByRole("button", { name: "Register app" }).click();
    await expect(page.getByText(/isn’t a JSON object/)).toBeVisible();
    await page.getByRole("textbox", { name: "Public key" }).fill(JSON.stringify({ ...publicJwk, d }));
    await page.getByRole("button", { name: "Register app" }).click();
    await expect(page.getByText(/contains a private key/)).toBeVisible();
    expect(sent.some((body) => body.includes(d))).toBe(false);
    await page.getByRole("textbox", { name: "Public key" }).fill(JSON.stringify(publicJwk));
    await page.getByRole("button", { name: "Register app" }).click();
    await page.getByRole("link", { name: "Open the app" }).click();
    await expect(page.getByRole("heading", { name: "Back office" })).toBeVisible();
    await page.goto("/merchant/apps");
    await expect(page.getByRole("row", { name: new RegExp(`Back office.*${publicJwk.kid}`) })).toBeVisible();
    await expect(page.getByRole("row", { name: new RegExp(`Checkout.*${clientId}`) })).toBeVisible();
  });
});

test.describe("an owner", () => {
  test("opens an app, rotates its key, edits and deletes it", async ({ dashboard: page, sandboxUrl }) => {
    await page.goto("/merchant/apps/register");
    await page.getByLabel("Name").fill("Checkout");
    await page.getByLabel(/^Something else/).check();
    await page.getByRole("button", { name: "Register app" }).click();
    await expect(page.getByText("Choose at least one scope.")).toBeVisible();
    await page.getByLabel("charges.read").check();
    await page.getByRole("button", { name: "Register app" }).click();
    const first = await downloadedKey(page);
    await page.getByRole("link", { name: "I have saved the private key" }).click();
    await expect(page.getByText(`${sandboxUrl}/oauth/register`)).toHaveCount(0);
    await page.getByRole("link", { name: "Add a key" }).click();
    await expectGoodLooks(page, "merchant-app-add-key");
    await page.getByRole("button", { name: "Add key" }).click();
    const second = await downloadedKey(page);
    await page.getByRole("link", { name: "I have saved the private key" }).click();
    for (const { kid } of [first, second]) await expect(page.getByText(kid)).toBeVisible();
    await page.getByRole("button", { name: `Remove key ${first.kid}` }).click();
    await expect(page.getByRole("dialog")).toContainText("are refused");
    await page.getByRole("button", { name: "Remove key", exact: true }).click();
    await expect(page.getByText(first.kid)).toHaveCount(0);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Name").fill("Store");
    await page.getByLabel(/jwks_uri/).fill("http://shop.example/jwks");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("must use https on port 443")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Store");
    await page.getByLabel(/jwks_uri/).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { name: "Store" })).toBeVisible();
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("dialog")).toContainText("keys and access tokens become invalid immediately");
    await page.getByRole("button", { name: "Delete app" }).click();
    await expect(page.getByRole("heading", { name: "No apps yet" })).toBeVisible();
  });
});

/** The private key that the page offers. */
const downloadedKey = async (page: Page): Promise<{ kid: string; d: string }> => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download private key" }).click(),
  ]);
  return JSON.parse(await readFile(await download.path(), "utf8"));
};

test.describe("a viewer", () => {
  test.use({ role: "viewer" });

  test("sees the list without actions", async ({ dashboard: page }) => {
    await page.goto("/merchant/apps");
    await expect(page.getByRole("heading", { name: "No tokens yet" })).toBeVisible();
    for (const name of ["New token", "Register app"]) await expect(page.getByRole("link", { name })).toHaveCount(0);
    for (const path of ["new", "register"]) expect((await page.goto(`/merchant/apps/${path}`))?.status()).toBe(404);
  });
});

operatorTest(
  "an operator creates a token for the owner of an agent, and revokes it with a reason",
  async ({ console: page, operator }) => {
    const owner = `Basket ${operator.id.slice(-8)}`;
    await page.goto("/operator/agents/new");
    await page.getByLabel("Owner").fill(owner);
    await page.getByLabel("Reason").fill("Asked by Basket");
    await page.getByRole("button", { name: "Create token" }).click();
    const command = page.getByText(/^curl /);
    await page.getByRole("button", { name: "Generate key pair" }).click();
    await expect(page.getByRole("link", { name: "Download private key" })).toBeVisible();
    const answer = await send((await command.textContent()) ?? "");
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ scope: "grant_management_query grant_management_revoke directory.write" });
    await page.getByRole("link", { name: "I have copied it" }).click();
    await expect(page.getByRole("row", { name: owner })).toContainText("Used up");
    await page.getByRole("link", { name: "New token" }).click();
    await page.getByLabel("Owner").fill(`${owner} two`);
    await page.getByLabel("Reason").fill("Asked by Basket");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: `Revoke the token ${owner} two` }).click();
    await page.getByLabel("Reason").fill("Sent to the wrong people");
    await page.getByRole("button", { name: "Revoke token" }).click();
    await expect(page.getByRole("row", { name: `${owner} two` })).toContainText("Revoked");
  },
);
