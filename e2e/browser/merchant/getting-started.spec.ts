import { readFile } from "node:fs/promises";
import { signAssertion } from "../../support/oauth/oauth-client.ts";
import { clientToken } from "../../support/oauth/parties.ts";
import { expect, expectGoodLooks } from "../fixtures.ts";
import { test } from "./merchant-fixtures.ts";

// docs/spec/portal.md, Getting started, API logs; docs/spec/payments.md, Webhooks.

test.describe("a developer", () => {
  test.use({ role: "developer" });

  test("follows the page from an app to a token, finds the request in the logs, and sends a test event", async ({
    dashboard: page,
    member,
    receiver,
    sandboxUrl,
  }) => {
    await page.goto("/merchant");
    await page.getByRole("main").getByRole("link", { name: "Getting started" }).click();
    await expect(page).toHaveTitle(/Getting started · Merchant/);
    const step = (number: number) => page.getByRole("listitem").filter({ hasText: new RegExp(`^${number}\\. `) });
    await expect(step(1)).toContainText("To do");
    await page.getByRole("link", { name: "Register app" }).click();
    await page.getByLabel("Name").fill("Checkout");
    await page.getByLabel(/^Verify and charge mandates/).check();
    await page.getByRole("button", { name: "Register app" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download private key" }).click(),
    ]);
    const { d, ...publicJwk } = JSON.parse(await readFile(await download.path(), "utf8"));
    const clientId = (await page.getByText(/^cl_test_/).textContent()) ?? "";

    await page.goto("/merchant/getting-started");
    await expect(step(1)).toContainText("Done");
    await expect(step(3)).toContainText("To do");
    await expect(page.getByLabel("Code of get-token.mjs")).toContainText(clientId);
    await expect(page.getByLabel("Code of agent.mjs")).toContainText(member.merchantId);
    await page.getByRole("link", { name: "curl" }).click();
    await expect(page.getByLabel("Code of get-token.sh")).toContainText(publicJwk.kid);

    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const privateKey = await crypto.subtle.importKey("jwk", { ...publicJwk, d }, algorithm, false, ["sign"]);
    const party = { id: clientId, baseUrl: sandboxUrl, registration: {}, publicJwk, privateKey };
    const assertion = await signAssertion(party, sandboxUrl, { header: { kid: publicJwk.kid } });
    const token = await clientToken(party, { client_assertion: assertion });
    await expect(step(3)).toContainText("Done");

    await page.goto("/merchant/logs?method=POST&status=2&path=token");
    await expectGoodLooks(page, "merchant-logs");
    await page.getByRole("link", { name: "POST /oauth/token" }).click();
    await expect(page.getByLabel("Body of the request")).toContainText("client_assertion=[redacted]");
    await expect(page.getByLabel("Body of the response")).toContainText('"access_token": "[redacted]"');
    const html = await page.content();
    for (const secret of [assertion, token]) expect(html).not.toContain(secret);
    await expectGoodLooks(page, "merchant-log");
    await page.goto("/merchant/logs?status=5");
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();

    await page.goto("/merchant/webhooks/new");
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("link", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByLabel("Event", { exact: true }).selectOption("refund.failed");
    await page.getByRole("button", { name: "Send event" }).click();
    await expect(page.getByRole("heading", { name: "refund.failed" })).toBeVisible();
    await expect.poll(() => receiver.received.map(({ event }) => event.type)).toEqual(["refund.failed"]);
    await page.goto("/merchant/webhooks/events");
    await expect(page.getByText("refund.failed").first()).toBeVisible();
  });
});
