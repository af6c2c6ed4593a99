import type { Page } from "@playwright/test";
import { textOf } from "../../support/answers/wire.ts";
import { codeForm, mandateIdOf, pushFields } from "../../support/oauth/mandate-flow.ts";
import { postAs } from "../../support/oauth/parties.ts";
import { expect, expectGoodLooks, test } from "../fixtures.ts";
import { lowerLimit, openAgentSite, type PushedConsentRequest, pushConsentRequest } from "./consent-request.ts";

const approve = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();
};

/** The payer grants a mandate. Then the agent requests a change of it, and the `added` mandates. */
const requestReplacement = async (
  page: Page,
  sandboxUrl: string,
  { change, added = [] }: { change: object; added?: readonly object[] },
) => {
  const granted: PushedConsentRequest = await pushConsentRequest(sandboxUrl);
  await page.goto(granted.url);
  await approve(page);
  const { agent, dpop, pushed, site } = granted;
  const code = (await site.answer).get("code") ?? "";
  const form = codeForm({ code, verifier: pushed.verifier }, { redirect_uri: site.redirectUri });
  const token = await postAs(agent, "/oauth/token", { form, dpop });
  const [grantId, mandateId] = [textOf(token, "grant_id"), mandateIdOf(token)];
  site.close();

  const nextSite = await openAgentSite();
  const push = async (items: readonly object[], redirectUri: string): Promise<string> => {
    const fields = { redirect_uri: redirectUri, grant_management_action: "replace", grant_id: grantId };
    const answer = await postAs(agent, "/oauth/par", { form: pushFields(items, fields).form, dpop });
    const query = new URLSearchParams({ client_id: agent.id, request_uri: textOf(answer, "request_uri") });
    return `${sandboxUrl}/oauth/authorize?${query}`;
  };
  const changed = { ...granted.details, identifier: mandateId, ...change };
  const url = await push([changed, ...added.map((item) => ({ ...granted.details, ...item }))], nextSite.redirectUri);
  return { url, mandateId, changed, push, site: nextSite };
};

const wider = {
  max_amount_per_payment: 12_000,
  max_total_amount: 250_000,
  periodic_limits: [
    { period: "month", alignment: "calendar", max_amount: 24_000 },
    { period: "week", alignment: "calendar", max_amount: 9_000 },
  ],
  payer_presence: ["in_session"],
  step_up_above: undefined,
};

test("the page shows old and new values side by side, and which terms are removed (docs/spec/portal.md, Consent)", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url } = await requestReplacement(page, sandboxUrl, { change: wider });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Change what Grocer Bot may spend?");
  const row = (sentence: string) => page.locator("summary", { hasText: new RegExp(`^${sentence}`) });
  await expect(row("At most €120.00 each payment")).toContainText("Now: At most €60.00 each payment");
  await expect(row("At most €240.00 each month")).toContainText("Unchanged");
  await expect(row("At most €90.00 each week")).toContainText("Now: No limit each week");
  await expect(row("At most €2,500.00 in total")).toContainText("Now: At most €1,000.00 in total");
  await expect(row("No payment needs your approval")).toContainText("Now: You approve each payment above €40.00");
  const main = page.locator("main");
  for (const words of [
    "Amounts that are already spent still count",
    "Payments can happen only when you’re present",
    "Now: Payments can happen when you’re not present",
    "If you decline, nothing changes",
  ]) {
    await expect(main).toContainText(words);
  }
  await expectGoodLooks(page, "consent-replace");
});

test("approving changes the mandate in place, and the wallet shows its version", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const { url, mandateId, site } = await requestReplacement(page, sandboxUrl, { change: wider });
  await page.goto(url);
  await lowerLimit(page, "Each payment, at most", "100");
  await expect(page.locator("summary", { hasText: /^At most €100.00 each payment/ })).toContainText(
    "Now: At most €60.00 each payment",
  );
  await approve(page);
  expect((await site.answer).get("code")).toBeTruthy();
  await page.goto(`${sandboxUrl}/wallet/mandates/${mandateId}`);
  await expect(page.getByText("€0.00 of €2,500.00")).toBeVisible();
  await expect(page.getByText("You approved new limits")).toBeVisible();
  await expect(page.getByText("Grocer Bot requested new limits")).toBeVisible();
  await expect(page.getByText(`${mandateId}, version 2`)).toBeVisible();
  await expectGoodLooks(page, "mandate-replaced");
});

test("declining leaves the mandate unchanged", async ({ signedIn: page, sandboxUrl }) => {
  const { url, mandateId, site } = await requestReplacement(page, sandboxUrl, { change: wider });
  await page.goto(url);
  await page.getByRole("button", { name: "Decline" }).click();
  expect((await site.answer).get("error")).toBe("access_denied");
  await page.goto(`${sandboxUrl}/wallet/mandates/${mandateId}`);
  await expect(page.getByText("€0.00 of €1,000.00")).toBeVisible();
  await expect(page.getByText("You declined new limits")).toBeVisible();
});

test("another payer can't find the request", async ({ signedIn: page, sandboxUrl, browser, signInAnother }) => {
  const { url } = await requestReplacement(page, sandboxUrl, { change: wider });
  const context = await browser.newContext();
  const other = await context.newPage();
  await signInAnother(context);
  await other.goto(url);
  await expect(other.getByRole("heading", { name: "Request not found" })).toBeVisible();
  await context.close();
  await page.goto(url);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
});

test("the page shows which mandate is new in the grant, and which mandate ends", async ({
  signedIn: page,
  sandboxUrl,
}) => {
  const replacement = await requestReplacement(page, sandboxUrl, {
    change: {},
    added: [{ purpose: "Flowers on Fridays" }],
  });
  await page.goto(replacement.url);
  await expect(page.getByRole("region", { name: "Mandate 1 of 2" })).toContainText("Unchanged");
  const second = page.getByRole("region", { name: "Mandate 2 of 2" });
  await expect(second).toContainText("2 of 2, new");
  await expect(second).toContainText("Flowers on Fridays");
  await expect(second).not.toContainText("Unchanged");
  await approve(page);

  const site = await openAgentSite();
  await page.goto(await replacement.push([replacement.changed], site.redirectUri));
  await expect(page.locator("main")).toContainText(
    "If you approve, this mandate ends: “Flowers on Fridays”, up to €1,000.00 in total.",
  );
  await expectGoodLooks(page, "consent-replace-ends");
  await approve(page);
  await page.goto(`${sandboxUrl}/wallet/mandates`);
  await expect(page.locator("article", { hasText: "Flowers on Fridays" }).getByText("Stopped")).toBeVisible();
});
