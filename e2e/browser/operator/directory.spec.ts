import { randomBytes } from "node:crypto";
import { listableIssuer } from "#server/directory/servers/metadata-host.fixture.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

/**
 * Stores the directory entry that an agent's registration creates for the agent's owner, with a verified domain.
 * @returns the entry's id.
 */
const registeredEntry = async (name: string): Promise<string> => {
  const id = `ptc_e2e${randomBytes(9).toString("hex")}`;
  await query(async (client) => {
    await client.query(
      `INSERT INTO participant (id, roles, display_name, contacts, contact_salts, facets, created_at, updated_at)
       VALUES ($1, '{client}', $2, '{}', '{}', '{status:active,role:client}', now(), now())`,
      [id, name],
    );
    await client.query(
      `INSERT INTO participant_domain (participant_id, domain, token, claimed_at, verified_at, check_due_at)
       VALUES ($1, $2, 'token', now(), now(), now() + interval '1 day')`,
      [id, `${id.slice(4)}.example`],
    );
  });
  return id;
};

test("an operator finds an entry, suspends it with a reason and lifts the suspension (docs/spec/portal.md, Directory in the console)", async ({
  console: page,
}) => {
  const name = `Ace Bank ${randomBytes(4).toString("hex")}`;
  const id = await registeredEntry(name);
  await page.goto("/operator/directory");
  await page.getByLabel("Name, domain or ID").fill(`${id.slice(4)}.example`);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveText(/Active/);
  await expectGoodLooks(page, "operator-directory");
  await page.getByRole("link", { name }).click();
  await expect(page).toHaveTitle(`Directory entry ${name} · Operator · Paygrant`);
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog", { name: `Suspend the entry ${name}?` });
  await dialog.getByLabel("Reason").fill("It copies the name of a bank");
  await expectGoodLooks(page, "operator-directory-suspend");
  await dialog.getByRole("button", { name: "Suspend entry" }).click();
  await expect(page.getByRole("definition").filter({ hasText: "Suspended" }).first()).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "It copies the name of a bank" })).toBeVisible();
  await expectGoodLooks(page, "operator-directory-entry");
  expect((await (await page.request.get(`/directory/v1/participants/${id}`)).json()).status).toBe("suspended");
  await page.getByRole("button", { name: "Lift suspension" }).click();
  const lift = page.getByRole("dialog", { name: `Lift the suspension of the entry ${name}?` });
  await lift.getByLabel("Reason").fill("The name was changed");
  await lift.getByRole("button", { name: "Lift suspension" }).click();
  await expect(page.getByRole("button", { name: "Suspend" })).toBeVisible();
});

test("an admin lists an authorization server by its issuer, withdraws it and lists it again (docs/spec/directory.md, Other authorization servers)", async ({
  console: page,
}) => {
  const [issuer, name] = [await listableIssuer(), `Ace Bank ${randomBytes(4).toString("hex")}`];
  await page.goto("/operator/directory");
  await page.getByRole("link", { name: "Add authorization server" }).click();
  await page.getByLabel("Issuer").fill(`${issuer}?x=1`);
  await page.getByLabel("Display name").fill(name);
  await page.getByLabel("Legal name").fill("Ace Bank plc");
  await page.getByLabel("Environment").selectOption("Production");
  await page.getByLabel("Reason").fill("A partner of ours");
  await page.getByRole("button", { name: "Add server" }).click();
  await expect(page.getByText("Enter the issuer as an https URL")).toBeVisible();
  await expect(page.getByLabel("Display name")).toHaveValue(name);
  await expectGoodLooks(page, "operator-directory-new");
  await page.getByLabel("Issuer").fill(issuer);
  await page.getByRole("button", { name: "Add server" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: issuer })).toBeVisible();
  await expectGoodLooks(page, "operator-directory-server");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.goto(`/directory/${id}`);
  await expect(page.getByText("The operator of this directory listed this server.")).toBeVisible();
  await expect(page.getByText("Client credentials")).toBeVisible();
  await expectGoodLooks(page, "directory-listed-server");
  const found = await page.request.get(
    `/directory/v1/participants?environment=production&q=${encodeURIComponent(issuer)}`,
  );
  expect((await found.json()).data).toMatchObject([{ id, issuer, environment: "production", status: "active" }]);

  await page.goto(`/operator/directory/${id}`);
  await page.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog", { name: `Withdraw the entry ${name}?` });
  await dialog.getByLabel("Reason").fill("It closes");
  await dialog.getByRole("button", { name: "Withdraw entry" }).click();
  await page.getByRole("link", { name: "List again" }).click();
  await expect(page.getByLabel("Issuer")).toHaveValue(issuer);
  await page.getByLabel("Reason").fill("It is open again");
  await page.getByRole("button", { name: "List again" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "It is open again" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw" })).toBeVisible();

  await page.getByRole("button", { name: "Suspend" }).click();
  const suspension = page.getByRole("dialog", { name: `Suspend the entry ${name}?` });
  await suspension.getByLabel("Reason").fill("It misbehaves");
  await suspension.getByRole("button", { name: "Suspend entry" }).click();
  await expect(page.getByRole("button", { name: "Lift suspension" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw" })).toHaveCount(0);
});

test("a viewer reads the entries and can't suspend one", async ({ console: page, operator }) => {
  await query(async (client) => {
    await client.query("UPDATE account SET operator_role = 'viewer' WHERE id = $1", [operator.id]);
  });
  const id = await registeredEntry("Bakery Agents");
  await page.goto(`/operator/directory/${id}`);
  await expect(page.getByRole("heading", { name: "Bakery Agents", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Suspend" })).toHaveCount(0);
  await page.goto("/operator/directory");
  await expect(page.getByRole("heading", { name: "Directory", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add authorization server" })).toHaveCount(0);
  expect((await page.goto("/operator/directory/new"))?.status()).toBe(404);
});
