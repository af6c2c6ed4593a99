import { randomBytes, randomUUID } from "node:crypto";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

const draftIncident = async (title: string): Promise<string> => {
  const id = `inc_e2e${randomBytes(9).toString("hex")}`;
  await query(async (client) => {
    await client.query(
      `INSERT INTO incident (id, title, state, impact, source, opened_by, started_at, created_at)
       VALUES ($1, $2, 'draft', 'critical', 'probe', 'probe', now(), now())`,
      [id, title],
    );
    await client.query(
      "INSERT INTO incident_component (incident_id, component, state) VALUES ($1, 'sandbox', 'major_outage')",
      [id],
    );
    await client.query(
      `INSERT INTO incident_update (id, incident_id, sequence, state, text, actor, at)
       VALUES ($1, $2, 1, 'draft', '3 of 5 probes failed.', 'probe', now())`,
      [id.replace("inc_", "upd_"), id],
    );
  }, "production");
  return id;
};

/** A critical incident that was just resolved. */
const resolvedIncident = async (title: string): Promise<string> => {
  const id = await draftIncident(title);
  await query(async (client) => {
    await client.query("UPDATE incident SET state = 'resolved', public_at = now(), resolved_at = now() WHERE id = $1", [
      id,
    ]);
  }, "production");
  return id;
};

test("an operator opens, updates and resolves an incident (docs/spec/status.md, Incidents)", async ({
  productionConsole: page,
}) => {
  const title = `Charges are slow ${randomBytes(4).toString("hex")}`;
  await page.goto("/operator/incidents/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Impact").selectOption("Minor");
  await page.getByLabel("Public message").fill("Charges take longer than they should. We look into it.");
  await page.getByLabel("Billing engine").selectOption("Degraded");
  await page.getByRole("button", { name: "Open incident" }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByText("Billing engine: degraded")).toBeVisible();
  await page.getByLabel("Status").selectOption("Monitoring");
  await page.getByLabel("Public message").fill("A fix is in place.");
  await page.getByLabel("Public message").press("Tab");
  await page.getByRole("button", { name: "Post update" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "A fix is in place." })).toHaveText(/Monitoring/);
  await expectGoodLooks(page, "incident");
  await expect(page.getByLabel("Public message")).toHaveValue("");
  await page.getByLabel("Public message").fill("Charges are as fast as ever.");
  await page.getByRole("button", { name: "Resolve" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve this incident?" });
  await expect(dialog.getByLabel("How it was resolved")).toHaveValue("Charges are as fast as ever.");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "as fast as ever" })).toHaveText(/Resolved/);
  await expect(page.getByRole("button", { name: "Post update" })).toHaveCount(0);
  await page.getByRole("link", { name: "All incidents" }).click();
  await expect(page.getByRole("row").filter({ hasText: title })).toHaveText(/Resolved/);
});

test("incidents and maintenance are listed in pages, with a search and a filter (docs/spec/portal.md, Operator console)", async ({
  productionConsole: page,
}) => {
  const mark = `paged${randomBytes(4).toString("hex")}`;
  for (let index = 0; index < 26; index += 1) await resolvedIncident(`${mark} ${index}`);
  await page.goto("/operator/incidents");
  await page.getByLabel("Title or ID").fill(mark.toUpperCase());
  await page.getByLabel("Status").selectOption("Resolved");
  await page.getByRole("button", { name: "Filter" }).click();
  const rows = page.getByRole("row").filter({ hasText: mark });
  await expect(rows).toHaveCount(25);
  await expectGoodLooks(page, "incidents-found");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Older" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(rows).toHaveCount(25);
  await page.goto(`/operator/maintenance?q=${mark}`);
  await expect(page.getByText("No maintenance matches. Enter a part of its title, or a complete ID.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Clear the filters" })).toHaveAttribute("href", "/operator/maintenance");
});

test("a draft of the probes is dismissed with a reason, or confirmed (docs/spec/status.md, Probes)", async ({
  productionConsole: page,
}) => {
  const [noise, real] = [await draftIncident("Sandbox: noise"), await draftIncident("Sandbox: major outage")];
  await page.goto(`/operator/incidents/${noise}`);
  await expectGoodLooks(page, "incident-draft");
  await page.getByRole("button", { name: "Dismiss" }).click();
  const dialog = page.getByRole("dialog", { name: "Dismiss this draft?" });
  await dialog.getByLabel("Reason").fill("A deployment.");
  await dialog.getByRole("button", { name: "Dismiss draft" }).click();
  await expect(page.getByRole("definition").filter({ hasText: "Dismissed" })).toBeVisible();
  await page.goto(`/operator/incidents/${real}`);
  await page.getByLabel("Title").fill("The sandbox is down");
  await page.getByLabel("Public message").fill("The sandbox is unreachable.");
  await page.getByRole("button", { name: "Confirm and publish" }).click();
  await expect(page.getByRole("heading", { name: "The sandbox is down", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Resolve" }).click();
  const ending = page.getByRole("dialog");
  await expect(ending.getByText("A postmortem is due within five working days.")).toBeVisible();
  await ending.getByLabel("How it was resolved").fill("It is up again.");
  await ending.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText(/Postmortem due/)).toBeVisible();
});

test("the postmortem of a critical incident is drafted and published, and its action is marked done (docs/spec/status.md, Postmortems)", async ({
  productionConsole: page,
}) => {
  const id = await resolvedIncident("The billing engine was down");
  await page.goto(`/operator/incidents/${id}`);
  await expect(page.getByText(/Postmortem due/)).toBeVisible();
  await page.getByRole("link", { name: "Write postmortem" }).click();
  await page.getByLabel("Summary").fill("Invoices came an hour late.");
  await page.getByRole("button", { name: "Add an action" }).click();
  await page.getByLabel("Action 1", { exact: true }).fill("Watch the queue");
  await page.getByLabel("Owner").fill("Ada");
  await page.getByLabel("Due", { exact: true }).fill("2099-01-05");
  await page.getByLabel("Reason for this change").fill("First draft");
  await expectGoodLooks(page, "postmortem");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Invoices came an hour late.")).toBeVisible();
  await expect(page.getByText(/Postmortem due/)).toBeVisible();
  await page.getByRole("link", { name: "Edit postmortem" }).click();
  await page.getByLabel("Reason for this change").fill("Reviewed by the team");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(
    page.getByText("A published postmortem needs a summary, a timeline, causes and an action."),
  ).toBeVisible();
  await page.getByLabel("Timeline").fill("10:00 the queue stood still");
  await page.getByLabel("Causes").fill("A lock that was never released.");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Postmortem published")).toBeVisible();
  await page.getByRole("button", { name: "Mark action 1 as done" }).click();
  const dialog = page.getByRole("dialog", { name: "Mark action 1 as done?" });
  await dialog.getByLabel("Reason").fill("An alert watches the queue");
  await dialog.getByRole("button", { name: "Mark as done" }).click();
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await expectGoodLooks(page, "incident-postmortem");
});

test("maintenance is announced, started and completed (docs/spec/status.md, Maintenance)", async ({
  productionConsole: page,
}) => {
  const title = `A new database ${randomBytes(4).toString("hex")}`;
  await page.goto("/operator/maintenance/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Public message").fill("Billing is unavailable for an hour.");
  await page.getByRole("button", { name: "Announce maintenance" }).click();
  await expect(page.getByText("Choose at least one component.", { exact: true })).toBeVisible();
  await page.getByLabel("Billing engine").check();
  await page.getByLabel("Ends (UTC)").fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Announce maintenance" }).click();
  await expect(page.getByText("The end must be after the start.")).toBeVisible();
  await page.getByLabel("Starts (UTC)").fill("2099-01-01T00:00");
  await page.getByLabel("Ends (UTC)").fill("2099-01-01T01:00");
  await page.getByRole("button", { name: "Announce maintenance" }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  for (const [button, state] of [
    ["Start now", "In progress"],
    ["Complete", "Completed"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Public message").fill(`New state: ${state}`);
    await dialog.getByRole("button", { name: button }).click();
    await expect(page.getByRole("listitem").filter({ hasText: `New state: ${state}` })).toHaveText(new RegExp(state));
  }
  await expectGoodLooks(page, "maintenance");
  await page.getByRole("link", { name: "All maintenance" }).click();
  await expect(page.getByRole("row").filter({ hasText: title })).toHaveText(/Completed/);
});

test("error budgets show the downtime that remains this month (docs/spec/status.md, Error budgets)", async ({
  productionConsole: page,
}) => {
  await page.goto("/operator/budgets");
  const row = page.getByRole("row").filter({ hasText: "Authorization server" }).first();
  await expect(row).toHaveText(/Objective 99\.9%/);
  await expect(row).toHaveText(/of 4[0-4](\.\d)? min/);
});

test("jobs show their state, and a failed run is retried (docs/spec/operations.md, Jobs)", async ({
  console: page,
}) => {
  const id = randomUUID();
  await query(async (client) => {
    await client.query(
      `INSERT INTO pgboss.job (id, name, state, retry_limit, started_on, completed_on, output, policy)
       VALUES ($1, 'anchor-audit', 'failed', 0, now(), now(), '{"message": "the disk is full"}', 'exclusive')`,
      [id],
    );
  });
  const mailJob = page
    .getByRole("table", { name: "Background jobs" })
    .getByRole("row")
    .filter({ hasText: "send-mail" });
  // On a service that has just started, no worker has reported yet.
  await expect(async () => {
    await page.goto("/operator/jobs");
    await expect(mailJob).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByLabel("Search jobs").fill("no such job");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Clear the search" }).click();
  const row = page.getByRole("row").filter({ hasText: "the disk is full" }).first();
  await expect(row).toBeVisible();
  await expect(mailJob).toBeVisible();
  // The job's hourly run may be in progress, and only one run is allowed at a time.
  const isFree = () =>
    query(async (client) => {
      const text = "SELECT FROM pgboss.job WHERE name = 'anchor-audit' AND state IN ('created', 'retry', 'active')";
      return (await client.query(text)).rowCount === 0;
    });
  await expect.poll(isFree).toBe(true);
  await row.getByRole("button", { name: "Retry anchor-audit" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry anchor-audit?" });
  await dialog.getByLabel("Reason").fill("The disk has room again");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await query(async (client) => {
    const { rows } = await client.query("SELECT state FROM pgboss.job WHERE id = $1", [id]);
    expect(["retry", "active", "completed"]).toContain(rows[0]?.state);
  });
});

test("a signing key is rotated with a reason and a recent authentication (docs/spec/portal.md, Operator console)", async ({
  console: page,
  operator,
}) => {
  await query(async (client) => {
    await client.query("UPDATE session SET auth_time = now() - interval '6 minutes' WHERE account_id = $1", [
      operator.id,
    ]);
  });
  await page.goto("/operator/keys");
  await page.getByRole("button", { name: "Rotate now: the signing key for the directory", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate the signing key for the directory?" });
  await dialog.getByLabel("Reason").fill("A drill");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Password").fill(operator.password);
  await proof.getByRole("button", { name: "Confirm and rotate" }).click();
  await expect(proof).toBeHidden();
  await expect(dialog).toBeHidden();
  // The rotation is immediate if readers already know the next key; otherwise it happens later.
  await expect(
    page.getByText(
      /^(The key was rotated\. The new key is active|Rotation requested\. The next key becomes active .*)\.$/,
    ),
  ).toBeVisible();
});

test("the sandbox's console has no pages about the status page", async ({ console: page }) => {
  await page.goto("/operator");
  await expect(page.getByRole("navigation").getByRole("link", { name: "Outbox" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Incidents" })).toHaveCount(0);
  expect((await page.goto("/operator/incidents"))?.status()).toBe(404);
});
