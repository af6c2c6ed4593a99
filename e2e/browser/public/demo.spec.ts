import type { Page } from "@playwright/test";
import { lowerLimit } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, expectNoAxeViolations, test } from "../fixtures.ts";

/** A click on what the current step offers, until the next one is there. */
const act = async (page: Page, name: string | RegExp, next: string | RegExp): Promise<void> => {
  await page.getByRole("button", { name }).click();
  await expect(page.getByRole("button", { name: next }).first()).toBeVisible();
};

const walkToCharge = async (page: Page): Promise<void> => {
  await page.goto("/demo");
  await act(page, "Register both", "Push the request");
  await act(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("button", { name: "Check €14.50" })).toBeVisible();
  await expect(page).toHaveURL(/\/demo$/);
};

test("from the shop to the charge that is refused after Stop in the wallet", async ({ signedIn: page, sandboxUrl }) => {
  await walkToCharge(page);
  await act(page, "Check €249.00 first", "Check €14.50");
  await expect(page.getByText("Not valid: amount_exceeds_per_payment.")).toBeVisible();
  await act(page, "Check €14.50", "Charge €14.50");
  await act(page, "Charge €14.50", "Let the agent revoke");
  await expect(page.getByText("Paid. The charge succeeded.")).toBeVisible();

  await page.getByRole("link", { name: "Stop it in my wallet" }).click();
  await expect(page.getByText("€14.50 of €60.00")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await expect(page.getByText("You stopped it")).toBeVisible();
  await page.getByRole("link", { name: "go back and let the shop try again" }).click();
  await expect(page).toHaveURL(`${sandboxUrl}/demo`);

  await page.getByRole("button", { name: "Charge €14.50 again" }).click();
  await expect(page.getByText("Refused with 403: mandate_revoked. Exactly as it should be.")).toBeVisible();
  await expectGoodLooks(page, "demo-end");
});

test("the agent's own revocation ends it as well", async ({ signedIn: page }) => {
  await walkToCharge(page);
  await act(page, "Check €14.50", "Charge €14.50");
  await act(page, "Charge €14.50", "Let the agent revoke");
  await act(page, "Let the agent revoke", "Charge €14.50 again");
  await page.getByRole("button", { name: "Charge €14.50 again" }).click();
  await expect(page.getByText("Refused with 403: mandate_revoked. Exactly as it should be.")).toBeVisible();
  await page.getByRole("button", { name: "Run it again" }).click();
  await expect(page.getByRole("button", { name: "Register both" })).toBeVisible();
});

test("each call is shown with its request, its answer and decoded tokens", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await expectGoodLooks(page, "demo-start");
  await act(page, "Register both", "Push the request");
  await act(page, "Push the request", "Review the request");
  const pushed = page.locator("li", { hasText: "The agent asks for a mandate" });
  await expect(pushed.getByText("POST /oauth/par")).toBeVisible();
  await pushed.locator("summary", { hasText: "Decode" }).first().click();
  await expect(pushed.getByText('"typ": "dpop+jwt"')).toBeVisible();
  await expectNoAxeViolations(page);
});

test("a private key can't be read out of the browser", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await act(page, "Register both", "Push the request");
  const refusal = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("paygrant-demo", 1);
      request.onsuccess = () => resolve(request.result);
    });
    const pair = await new Promise<CryptoKeyPair>((resolve) => {
      const request = database.transaction("keys").objectStore("keys").get("agent");
      request.onsuccess = () => resolve(request.result);
    });
    return crypto.subtle.exportKey("jwk", pair.privateKey).then(
      () => "exported",
      (error: Error) => error.name,
    );
  });
  expect(refusal).toBe("InvalidAccessError");
});

test("declining leaves the agent with nothing, and it may ask again", async ({ signedIn: page }) => {
  await page.goto("/demo");
  await act(page, "Register both", "Push the request");
  await act(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined, so nothing is allowed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Push the request" })).toBeVisible();
});

test("a limit below the price is a payment that isn't valid, and the agent may ask again", async ({
  signedIn: page,
}) => {
  await page.goto("/demo");
  await act(page, "Register both", "Push the request");
  await act(page, "Push the request", "Review the request");
  await page.getByRole("button", { name: "Review the request" }).click();
  await lowerLimit(page, "Each payment", "10");
  await page.getByRole("button", { name: "Approve" }).click();
  await act(page, "Check €14.50", "Ask again");
  await expect(page.getByText("amount_exceeds_per_payment. You allow at most €10.00 a payment.")).toBeVisible();
  await expect(page.getByText("€14.50 doesn’t fit your limits. I can’t charge it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Charge €14.50" })).toHaveCount(0);
  await act(page, "Ask again", "Push the request");
  await act(page, "Push the request", "Review the request");
});
