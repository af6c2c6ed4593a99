import { expect, expectGoodLooks, makeBrowserPayer, query, signInBySession } from "../fixtures.ts";
import { join, test } from "./merchant-fixtures.ts";

const newestLink = async (recipient: string): Promise<string> =>
  query(async (client) => {
    const { rows } = await client.query("SELECT text FROM mail WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1", [
      recipient,
    ]);
    return /\/invitations\/[\w-]{43}/.exec(rows[0]?.text ?? "")?.[0] ?? "";
  });

test("an owner invites a person, changes the role of the person who joined, and removes this member", async ({
  dashboard: page,
  browser,
  sandboxUrl,
}) => {
  const invited = await makeBrowserPayer();
  await page.goto("/merchant/team");
  await expect(page).toHaveTitle(/Team/);
  await page.getByLabel("E-mail").fill("not an address");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Enter an e-mail address.")).toBeVisible();
  await page.getByLabel("E-mail").fill(invited.email);
  await page.getByLabel("Role").selectOption("viewer");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(`Invited ${invited.email}.`)).toBeVisible();
  await expect(page.getByRole("row", { name: new RegExp(invited.email) })).toContainText("Pending");

  const link = await newestLink(invited.email);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "Join the team of Fresh Market" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Create an account" })).toHaveAttribute(
    "href",
    /^\/sign-up\?invitation=/,
  );
  await expectGoodLooks(other, "invitation");
  await signInBySession(context, invited, { baseUrl: sandboxUrl });
  await other.reload();
  await other.getByRole("button", { name: "Join Fresh Market" }).click();
  await expect(other.getByText("as viewer")).toBeVisible();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This invitation isn’t valid" })).toBeVisible();

  await page.reload();
  await page.getByRole("button", { name: "Change role of Test Payer" }).click();
  await page.getByLabel("New role").selectOption("developer");
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(page.getByRole("row", { name: new RegExp(invited.email) })).toContainText("Developer");
  await other.goto("/merchant");
  await expect(other.getByText("as developer")).toBeVisible();
  await page.getByRole("button", { name: "Remove Test Payer" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  // Rows behind an open dialog can't be found by their ARIA role, so wait until the text is gone.
  await expect(page.getByText(invited.email)).toHaveCount(0);
  // The removal takes effect immediately.
  await other.goto("/merchant/payments");
  await expect(other).toHaveURL(/\/merchant\/new$/);
  await context.close();
});

test("the last owner can't leave, and makes another member the owner", async ({ dashboard: page, member }) => {
  const next = await makeBrowserPayer();
  await join(next, member.merchantId, "admin");
  await page.goto("/merchant/team");
  await page.getByLabel("Search the team").fill("no such member");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("button", { name: "Leave" })).toHaveCount(0);
  await expectGoodLooks(page, "merchant-team-no-results");
  await page.getByRole("link", { name: "Clear the search" }).click();
  await expect(page.getByText("You are the only owner.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Leave" })).toHaveCount(0);
  await page.getByRole("button", { name: "Transfer ownership to Test Payer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Transfer ownership" }).click();
  await expect(page.getByRole("row", { name: new RegExp(next.email) })).toContainText("Owner");
  await expect(page.getByRole("button", { name: /^Transfer ownership/ })).toHaveCount(0);
  await expect(page.getByText("You are the only owner.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Leave" })).toBeVisible();
});

test("a suspended merchant can cancel invitations, but not send them", async ({ dashboard: page, member }) => {
  await page.goto("/merchant/team");
  await page.getByLabel("E-mail").fill("colleague@example.test");
  await page.getByRole("button", { name: "Send invitation" }).click();
  // Wait until the page is updated after the invitation: an update after the suspension would remove the form.
  await expect(page.getByRole("row", { name: /colleague@example\.test/ })).toContainText("Pending");
  await query((client) => client.query("UPDATE merchant SET suspended_at = now() WHERE id = $1", [member.merchantId]));
  await page.getByLabel("E-mail").fill("other@example.test");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("The merchant is suspended, so no one can be invited to its team.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("no one can be invited until the suspension is lifted")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send/ })).toHaveCount(0);
  await expectGoodLooks(page, "merchant-team-suspended");
  await page.getByRole("button", { name: "Cancel the invitation to colleague@example.test" }).click();
  await page.getByRole("button", { name: "Cancel invitation" }).click();
  await expect(page.getByText("colleague@example.test")).toHaveCount(0);
});
