import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";

const newPassword = "staple on a blue moon";

type Entry = { email: string; password: string; path?: string };

const signIn = async (page: Page, { email, password, path = "/wallet" }: Entry): Promise<void> => {
  await page.goto(`/sign-in?return_to=${path}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL((url) => url.pathname === path);
};

/** The text of the newest mail to an address. */
const newestMail = async (recipient: string): Promise<string> => {
  let text = "";
  await expect(async () => {
    await query(async (client) => {
      const find = "SELECT text FROM mail WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1";
      text = (await client.query<{ text: string }>(find, [recipient])).rows[0]?.text ?? "";
    });
    expect(text).not.toBe("");
  }).toPass();
  return text;
};

const linkIn = (text: string): string => {
  const { pathname, search } = new URL(/https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? "");
  return `${pathname}${search}`;
};

test("recovery codes are shown once, and each code allows one sign-in (docs/spec/portal.md, Recovery codes)", async ({
  page,
  payer,
}) => {
  await signIn(page, { ...payer, path: "/wallet/security" });
  await expect(page.getByText("You have no recovery codes.")).toBeVisible();
  await page.getByRole("button", { name: "Create recovery codes" }).click();
  await page.getByRole("button", { name: "Create codes" }).click();
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  const codes = await dialog.getByRole("listitem").allTextContents();
  await expectGoodLooks(page, "recovery-codes");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain(codes.join("\n"));
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 of 10 codes left.")).toBeVisible();
  await expectGoodLooks(page, "security");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto("/sign-in?return_to=/wallet/security");
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await expect(page.getByRole("heading", { name: "Use a recovery code" })).toBeVisible();
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Recovery code").fill("0000-0000-0000");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("don’t match an account")).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue(payer.email);
  await page.getByLabel("Recovery code").fill(codes[4]?.toLowerCase() ?? "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/wallet\/security$/);
  await expect(page.getByText("9 of 10 codes left.")).toBeVisible();
  await expect(page.getByText("Recovery code used")).toBeVisible();
  await expect(page.getByText("Wrong recovery code")).toBeVisible();
  expect(await newestMail(payer.email)).toContain("You have 9 recovery codes left.");
});

test("a forgotten password is reset on the page of a mailed link (docs/spec/portal.md, Password reset)", async ({
  page,
  payer,
  browser,
  sandboxUrl,
}) => {
  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await signIn(other, payer);
  await page.goto("/sign-in?return_to=/wallet/activity");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The sign-in page has an e-mail field too.
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await expectGoodLooks(page, "reset-sent");

  const link = linkIn(await newestMail(payer.email));
  await page.goto(link);
  await page.goto(link);
  await page.getByLabel("New password").fill("password1234");
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "password" })).toBeVisible();
  await expectGoodLooks(page, "reset-password");
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Save and sign in" }).click();
  await expect(page).toHaveURL(/\/wallet\/activity$/);
  await other.goto("/wallet");
  await expect(other).toHaveURL(/\/sign-in/);
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await signIn(other, { ...payer, password: newPassword });
});

test("the password is changed and other sessions end; the typed text is kept when the payer must authenticate again", async ({
  signedIn: page,
  payer,
  ageProof,
  browser,
  sandboxUrl,
}) => {
  const other = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await signIn(other, payer);
  await page.goto("/wallet/security");
  await expect(page.getByRole("button", { name: "End all other sessions" })).toBeVisible();
  await ageProof();
  await page.getByRole("button", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog", { name: "Change your password" });
  await dialog.getByLabel("New password").fill("short");
  await dialog.getByLabel("End all other sessions").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  const stepUp = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await stepUp.getByLabel("Password").fill(payer.password);
  await stepUp.getByRole("button", { name: "Confirm and save" }).click();
  await expect(dialog.getByText("Use at least 12 characters.")).toBeVisible();
  await expect(dialog.getByLabel("New password")).toHaveValue("short");
  await expectGoodLooks(page, "change-password");
  await dialog.getByLabel("New password").fill(newPassword);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "End all other sessions" })).toHaveCount(0);
  await other.goto("/wallet");
  await expect(other).toHaveURL(/\/sign-in/);
  await signIn(other, { ...payer, password: newPassword });
  await page.reload();
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await page.getByRole("button", { name: "End them" }).click();
  await expect(page.getByRole("button", { name: "End session" })).toHaveCount(0);
});

test("a person who can’t use a password or a passkey confirms with a recovery code", async ({
  signedIn: page,
  payer,
  ageProof,
}) => {
  await page.goto("/wallet/security");
  await page.getByRole("button", { name: "Create recovery codes" }).click();
  await page.getByRole("button", { name: "Create codes" }).click();
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  const [code = ""] = await dialog.getByRole("listitem").allTextContents();
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await query(async (client) => {
    await client.query("UPDATE account SET password_hash = NULL WHERE id = $1", [payer.id]);
  });
  await ageProof();
  await page.goto("/wallet/security");
  await page.getByRole("button", { name: "Set a password" }).click();
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Save" }).click();
  const stepUp = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await stepUp.getByLabel("Recovery code").fill(code);
  await stepUp.getByRole("button", { name: "Confirm and save" }).click();
  await expect(page.getByText("Your account has a password.")).toBeVisible();
  await expect(page.getByText("9 of 10 codes left.")).toBeVisible();
});

test("a change of the profile changes language, time zone and formats immediately, in German (docs/spec/portal.md, Wallet)", async ({
  signedIn: page,
}) => {
  await page.goto("/wallet/profile");
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Time zone").fill("Nowhere");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Choose a time zone from the list")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Ada Lovelace");
  await page.getByLabel("Time zone").fill("America/New_York");
  await page.getByLabel("Language").selectOption("Deutsch");
  await page.getByLabel("Currency for totals").selectOption("EUR");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Profil", level: 1 })).toBeVisible();
  await expect(page.getByText("Gespeichert.")).toBeVisible();
  await expectGoodLooks(page, "profile-german");
  await page.goto("/wallet/security");
  await expect(page.getByRole("heading", { name: "Sicherheit", level: 1 })).toBeVisible();
  await expect(page.getByText("America/New York")).toBeVisible();
  await expectGoodLooks(page, "security-german");
});

test("the e-mail address is changed with a mailed code, then with a mailed link", async ({ signedIn: page, payer }) => {
  const first = payer.email.replace("payer-", "first-");
  const second = payer.email.replace("payer-", "second-");
  await page.goto("/wallet/profile");
  await page.getByLabel("New address").fill(first);
  await page.getByRole("button", { name: "Send a code" }).click();
  await expect(page.getByText(`We sent an e-mail with a code to ${first}`)).toBeVisible();
  await page.getByLabel("Code").fill("12");
  await page.getByRole("button", { name: "Use the new address" }).click();
  await expect(page.getByText("This code is wrong.")).toBeVisible();
  await expectGoodLooks(page, "profile-code");
  await page.getByLabel("Code").fill(/^(\d{6})$/m.exec(await newestMail(first))?.[1] ?? "");
  await page.getByRole("button", { name: "Use the new address" }).click();
  await expect(page.getByText(`Your e-mail address is now ${first}.`)).toBeVisible();
  expect(await newestMail(payer.email)).toContain("New address: f…@example.test");

  await page.getByLabel("New address").fill(second);
  await page.getByRole("button", { name: "Send a code" }).click();
  await expect(page.getByText(`We sent an e-mail with a code to ${second}`)).toBeVisible();
  const link = linkIn(await newestMail(second));
  await page.goto(link);
  await expect(page.getByText("Test Payer")).toBeVisible();
  await expect(page.getByText("Confirm only if this is your account.")).toBeVisible();
  await expectGoodLooks(page, "email-change");
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByRole("heading", { name: "Your e-mail address was changed" })).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.goto("/wallet/profile");
  await expect(page.getByText(second).first()).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a reset is requested and a recovery code is refused", async ({ page, payer }) => {
    await page.goto("/reset?return_to=/wallet/activity");
    await page.getByLabel("E-mail").fill(payer.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
    await page.goto("/sign-in/recovery");
    await page.getByLabel("E-mail").fill(payer.email);
    await page.getByLabel("Recovery code").fill("0000-0000-0000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("don’t match an account")).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue(payer.email);
    await expect(page.getByLabel("Recovery code")).toHaveValue("");
  });

  test("sessions and sign-ins are paged, and paging through one list doesn't change the page of the other", async ({
    signedIn: page,
    payer,
  }) => {
    await query(async (client) => {
      await client.query(
        `INSERT INTO session (id, secret_hash, account_id, created_at, last_seen_at, expires_at, auth_time, acr, user_agent)
         SELECT 'ses_' || n || $1, 'hash_' || n || $1, $1, now(), now() - n * interval '1 minute',
           now() + interval '1 hour', now(), 'urn:paygrant:acr:password', 'Browser ' || n FROM generate_series(1, 14) n`,
        [payer.id],
      );
      await client.query(
        `INSERT INTO sign_in_event (id, account_id, at, outcome, user_agent, ip_address)
         SELECT 'sgn_' || n || $1, $1, now() - n * interval '1 minute', 'signed_in', '', '192.0.2.' || n
         FROM generate_series(1, 15) n`,
        [payer.id],
      );
    });
    await page.goto("/wallet/security");
    await expect(page.getByRole("button", { name: "End all other sessions" })).toBeVisible();
    await expect(page.getByRole("button", { name: "End session" })).toHaveCount(9);
    await page.getByRole("navigation", { name: "Pages of the sessions" }).getByRole("link", { name: "Older" }).click();
    await expect(page.getByRole("button", { name: "End session" })).toHaveCount(5);
    await expect(page.getByText("192.0.2.15")).toHaveCount(0);
    const signIns = page.getByRole("navigation", { name: "Pages of the sign-in history" });
    await signIns.getByRole("link", { name: "Older" }).click();
    await expect(page.getByText("192.0.2.15")).toBeVisible();
    await expect(page.getByRole("button", { name: "End session" })).toHaveCount(5);
    await signIns.getByRole("link", { name: "Newest" }).click();
    await expect(page).toHaveURL(/sessions_after=.*#history$/);
  });

  test("after a refused request for a reset, the form keeps the e-mail address", async ({ page }) => {
    const email = `${randomUUID()}@example.test`;
    await page.goto("/reset");
    for (let sent = 0; sent < 4; sent++) {
      await page.goto("/reset");
      await page.getByLabel("E-mail").fill(email);
      await page.getByRole("button", { name: "Send the link" }).click();
    }
    await expect(page).toHaveURL(/error=too_many_attempts/);
    await expect(page.getByLabel("E-mail")).toHaveValue(email);
  });
});
