import { command } from "../../support/command.ts";
import { currentInstance } from "../../support/instance.ts";
import { addAuthenticator } from "../authenticator.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

/** The settings of the service under test, for a command in another terminal. */
const commandEnvironment = (): NodeJS.ProcessEnv => {
  const { dataDirectory, productionUrl, sandboxUrl } = currentInstance();
  return {
    ...process.env,
    DATA_DIR: dataDirectory,
    POSTGRES_PORT: new URL(process.env["TEST_DATABASE_URL"] ?? "").port,
    PORT: new URL(productionUrl).port,
    SANDBOX_PORT: new URL(sandboxUrl).port,
  };
};

const newEmail = () => `new-${crypto.randomUUID().slice(0, 8)}@example.test`;

test("an admin invites a person, who makes an account with a passkey and opens the console", async ({
  console: page,
  browser,
  sandboxUrl,
}) => {
  const email = newEmail();
  await page.goto("/operator/operators");
  await page.getByRole("button", { name: "Invite operator" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite an operator" });
  await dialog.getByLabel("E-mail").fill(email);
  await dialog.getByLabel("Role").selectOption("viewer");
  await dialog.getByLabel("Reason").fill("Joined the team");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const shown = page.getByRole("dialog", { name: "Send this link" });
  const link = (await shown.locator("code").textContent()) ?? "";
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("cell", { name: email, exact: true })).toBeVisible();
  await expectGoodLooks(page, "operators");

  const person = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await addAuthenticator(person);
  await person.goto(link);
  await expect(person.getByRole("heading", { name: "Become an operator" })).toBeVisible();
  await expectGoodLooks(person, "operator-invitation");
  await person.getByLabel("Name").fill("Nia New");
  await person.getByRole("button", { name: "Accept invitation" }).click();
  await expect(person).toHaveURL(/\/operator$/);
  await expect(person.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  // A viewer sees the operators, but can't change anything.
  await person.goto("/operator/operators");
  await expect(person.getByText("Nia New")).toBeVisible();
  await expect(person.getByRole("button", { name: /Invite|Remove|Change/ })).toHaveCount(0);
  await person.goto("/operator/keys");
  await expect(person.getByRole("button", { name: /Rotate|Revoke/ })).toHaveCount(0);
  expect((await person.goto("/operator/agents/new"))?.status()).toBe(404);

  await page.reload();
  await page.getByRole("button", { name: `Remove ${email}` }).click();
  const removal = page.getByRole("dialog", { name: `Remove ${email}?` });
  await removal.getByLabel("Reason").fill("Left the team");
  await removal.getByRole("button", { name: "Remove operator" }).click();
  await expect(removal).toBeHidden();
  expect((await person.goto("/operator"))?.status()).toBe(404);
  expect((await person.goto(link))?.status()).toBe(200);
  await expect(person.getByRole("heading", { name: "This link isn’t valid" })).toBeVisible();
});

test("npm run operators prints a link that a person with an account accepts after signing in", async ({
  page,
  payer,
  sandboxUrl,
}) => {
  const environment = commandEnvironment();
  const link = await command(environment, "operators", "add", payer.email, "--role", "support", "--sandbox");
  expect(link).toContain(`${sandboxUrl}/operator/invitation?token=`);
  expect(await command(environment, "operators", "list", "--sandbox")).toMatch(new RegExp(`${payer.email}\\s+support`));
  await page.goto(link);
  await page.getByRole("link", { name: "Sign in to continue" }).click();
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("Password").fill(payer.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expect(page).toHaveURL(/\/operator$/);
  for (const [args, message] of [
    [["add", "ola"], /^.*add: ola is not an e-mail address\n$/],
    [["add", "a@b.co", "--role", "owner"], /^.*--role: must be one of admin, support, viewer, not owner\n$/],
    [["remove", newEmail(), "--sandbox"], /^.*No operator or pending invitation has this address.*\n$/],
  ] as const) {
    const failure: { code: number; stderr: string } = await command(environment, "operators", ...args).catch((e) => e);
    expect(failure).toMatchObject({ code: 1 });
    expect(failure.stderr).toMatch(message);
  }
  await command(environment, "operators", "remove", payer.email, "--sandbox");
  expect((await page.goto("/operator"))?.status()).toBe(404);
});

test("the audit log is searched, verified and exported", async ({ console: page, operator }) => {
  await page.goto(`/operator/operators`);
  await page.goto(`/operator/audit?actor=${encodeURIComponent(operator.email)}`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await query((client) =>
    client.query(
      `INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data)
       VALUES (now(), 'operator', $1, 'merchant.suspended', 'mch_e2e', 'req_e2e', '{"reason":"A drill"}')`,
      [operator.id],
    ),
  );
  await page.reload();
  await page.getByText("merchant.suspended").click();
  await expect(page.getByText('"reason": "A drill"')).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit.csv");
  await page.getByRole("button", { name: "Verify the chains" }).click();
  await expect(page.getByText("The chains are unchanged.")).toBeVisible();
});

test("the settings in force are listed without secrets", async ({ console: page }) => {
  await page.goto("/operator/settings");
  await expect(page.getByRole("row", { name: /SANDBOX_MASTER_KEY.*Set, not shown/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /JWKS_MAX_AGE/ })).toBeVisible();
  await expect(page.getByText("postgresql://")).toHaveCount(0);
});
