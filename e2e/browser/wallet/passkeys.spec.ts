import type { Page } from "@playwright/test";
import { addAuthenticator } from "../authenticator.ts";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";
import { makePendingCharge } from "./pending-charge.ts";

const addPasskey = async (page: Page): Promise<void> => {
  await page.goto("/wallet/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByRole("heading", { name: /^(Chrome|Chromium|Unknown device)/ }).first()).toBeVisible();
};

const acrOf = async (accountId: string): Promise<string[]> => {
  let acrs: string[] = [];
  await query(async (client) => {
    const text = "SELECT acr FROM session WHERE account_id = $1 AND revoked_at IS NULL";
    acrs = (await client.query<{ acr: string }>(text, [accountId])).rows.map(({ acr }) => acr);
  });
  return acrs;
};

const usePasskey = (page: Page) => page.getByRole("button", { name: "Use a passkey" });

test("a passkey is added, signs in, confirms a risky action and is removed (docs/spec/portal.md, Sign-in)", async ({
  signedIn: page,
  payer,
  ageProof,
}) => {
  await addAuthenticator(page);
  await ageProof();
  await page.goto("/wallet/security");
  await expect(page.getByRole("heading", { name: "No passkeys yet" })).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const stepUp = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await expect(usePasskey(page)).toHaveCount(0);
  await stepUp.getByLabel("Password").fill(payer.password);
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await codes.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Work laptop");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Work laptop" })).toBeVisible();
  await expect(page.getByText("Not used yet")).toBeVisible();
  await expectGoodLooks(page, "security-passkey");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto("/sign-in?return_to=/wallet/security");
  const [passkey, email] = await Promise.all([usePasskey(page).boundingBox(), page.getByLabel("E-mail").boundingBox()]);
  expect(passkey?.y).toBeLessThan(email?.y ?? 0);
  await expectGoodLooks(page, "sign-in-passkey");
  await usePasskey(page).click();
  await expect(page).toHaveURL(/\/wallet\/security$/);
  await expect(page.getByText("Last used")).toHaveCount(2);
  expect(await acrOf(payer.id)).toEqual(["urn:paygrant:acr:passkey"]);

  await ageProof();
  await page.getByRole("button", { name: "Remove: Work laptop" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await expectGoodLooks(page, "step-up-passkey");
  await usePasskey(page).click();
  await expect(page.getByRole("heading", { name: "No passkeys yet" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a passkey approves a payment only after it verified the payer (docs/spec/payments.md, Step-up)", async ({
  signedIn: page,
  payer,
  sandboxUrl,
  ageProof,
}) => {
  const setVerified = await addAuthenticator(page);
  await addPasskey(page);
  const pending = await makePendingCharge(page, sandboxUrl);
  await ageProof();
  await page.goto(`/wallet/approvals/${pending.chargeId}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await setVerified(false);
  await usePasskey(page).click();
  await expect(page.getByText("No passkey was used.")).toBeVisible();
  expect(await pending.status()).toBe("requires_action");
  await setVerified(true);
  await usePasskey(page).click();
  await expect(page.getByText("You approved it, and it was paid.")).toBeVisible();
  expect(await pending.status()).toBe("succeeded");
  expect(await acrOf(payer.id)).toEqual(["urn:paygrant:acr:passkey"]);
});

test("in a browser without a passkey, the sign-in form offers passkeys last and explains a failure", async ({
  page,
}) => {
  await addAuthenticator(page);
  await page.goto("/sign-in");
  const [passkey, password] = await Promise.all([
    usePasskey(page).boundingBox(),
    page.getByLabel("Password").boundingBox(),
  ]);
  expect(passkey?.y).toBeGreaterThan(password?.y ?? 0);
  await usePasskey(page).click();
  await expect(page.locator("form [role=alert]")).toHaveText("No passkey was used. Try again when you’re ready.");
  await expectGoodLooks(page, "sign-in-no-passkey");
});
