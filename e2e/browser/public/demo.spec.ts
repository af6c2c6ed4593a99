import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "../axe.ts";
import { lowerLimit } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, test } from "../fixtures.ts";

/** Clicks a button of the current step and waits for the next step. */
const takeStep = async (page: Page, name: string | RegExp, next: string | RegExp): Promise<void> => {
  await page.getByRole("button", { name }).click();
  await expect(page.getByRole("button", { name: next }).first()).toBeVisible();
};

const walkToCharge = async (page: Page): Promise<void> => {
  await page.goto("/demo");
  await takeStep(page, "Register both", "Push the request");
  await takeStep(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("button", { name: "Check €14.50" })).toBeVisible();
  await expect(page).toHaveURL(/\/demo$/);
};

test("the demo runs from the registration to a charge that is refused after Stop in the wallet", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  await walkToCharge(page);
  await takeStep(page, "Check €249.00 first", "Check €14.50");
  await expect(page.getByText("Not valid: amount_exceeds_per_payment.")).toBeVisible();
  await takeStep(page, "Check €14.50", "Charge €14.50");
  await takeStep(page, "Charge €14.50", "Let the agent revoke it");
  await expect(page.getByText("Paid. The charge succeeded.")).toBeVisible();

  await page.getByRole("link", { name: "Stop it in my wallet" }).click();
  await expect(page.getByText("€14.50 of €60.00")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await expect(page.getByText("The mandate is stopped")).toBeVisible();
  await page.getByRole("link", { name: "go back and let the shop try again" }).click();
  await expect(page).toHaveURL(`${sandboxUrl}/demo`);

  await page.getByRole("button", { name: "Charge €14.50 again" }).click();
  await expect(page.getByText("Refused with 403: mandate_revoked. This is the expected result.")).toBeVisible();
  await expectGoodLooks(page, "demo-end");
});

test("a revocation by the agent ends the mandate too", async ({ signedIn: page }) => {
  await walkToCharge(page);
  await takeStep(page, "Check €14.50", "Charge €14.50");
  await takeStep(page, "Charge €14.50", "Let the agent revoke it");
  await takeStep(page, "Let the agent revoke it", "Charge €14.50 again");
  await page.getByRole("button", { name: "Charge €14.50 again" }).click();
  await expect(page.getByText("Refused with 403: mandate_revoked. This is the expected result.")).toBeVisible();
  await page.getByRole("button", { name: "Run it again" }).click();
  await expect(page.getByRole("button", { name: "Register both" })).toBeVisible();
});

test("each call shows its request, its response and decoded tokens", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await expectGoodLooks(page, "demo-start");
  await takeStep(page, "Register both", "Push the request");
  await takeStep(page, "Push the request", "Review the request");
  const pushed = page.locator("li", { hasText: "The agent asks for a mandate" });
  await expect(pushed.getByText("POST /oauth/par")).toBeVisible();
  await pushed.locator("summary", { hasText: "Decode" }).first().click();
  await expect(pushed.getByText('"typ": "dpop+jwt"')).toBeVisible();
  await expectNoAxeViolations(page);
});

test("a private key can't be exported from the browser", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await takeStep(page, "Register both", "Push the request");
  const refusal = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("paygrant-demo");
      request.onsuccess = () => resolve(request.result);
    });
    const agent = await new Promise<{ clientKey: { privateKey: CryptoKey } }>((resolve) => {
      const request = database.transaction("handles").objectStore("handles").get("agent");
      request.onsuccess = () => resolve(request.result);
    });
    return crypto.subtle.exportKey("jwk", agent.clientKey.privateKey).then(
      () => "exported",
      (error: Error) => error.name,
    );
  });
  expect(refusal).toBe("InvalidAccessError");
});

test("after Decline nothing is allowed, and the agent can ask again", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await takeStep(page, "Register both", "Push the request");
  await takeStep(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined, so nothing is allowed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Push the request" })).toBeVisible();
});

test("a limit below the price makes the payment invalid, and the agent can ask again", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await takeStep(page, "Register both", "Push the request");
  await takeStep(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await lowerLimit(page, "Each payment", "10");
  await page.getByRole("button", { name: "Approve" }).click();
  await takeStep(page, "Check €14.50", "Ask again");
  await expect(page.getByText("amount_exceeds_per_payment. You allow at most €10.00 per payment.")).toBeVisible();
  await expect(page.getByText("€14.50 is above your limits. I can’t charge it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Charge €14.50" })).toHaveCount(0);
  await takeStep(page, "Ask again", "Push the request");
  await takeStep(page, "Push the request", "Review the request");
});
