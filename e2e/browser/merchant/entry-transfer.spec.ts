import type { Page } from "@playwright/test";
import {
  ageProofOf,
  expect,
  expectGoodLooks,
  makeBrowserPayer,
  type Payer,
  query,
  signInBySession,
} from "../fixtures.ts";
import { join, makeDashboardMerchant, registerApp, test } from "./merchant-fixtures.ts";

const confirm = async (page: Page, payer: Payer, verb: string) => {
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Password").fill(payer.password);
  await proof.getByRole("button", { name: verb }).click();
};

/** The merchant gets its entry with its first app. */
const enrol = async (merchantId: string, sandboxUrl: string): Promise<string> => {
  await registerApp(merchantId, sandboxUrl);
  return query(async (client) => {
    const { rows } = await client.query("SELECT id FROM participant WHERE merchant_id = $1", [merchantId]);
    return String(rows[0]?.id);
  });
};

const subjectsOf = (payer: Payer): Promise<string[]> =>
  query(async (client) => {
    const { rows } = await client.query("SELECT subject FROM mail WHERE recipient = $1 ORDER BY created_at", [
      payer.email,
    ]);
    return rows.map(({ subject }) => String(subject).replace("[Sandbox] ", ""));
  });

test("an owner offers the entry, and an owner of another merchant accepts it; both confirm their identity", async ({
  dashboard: page,
  member,
  browser,
  sandboxUrl,
}) => {
  const entry = await enrol(member.merchantId, sandboxUrl);
  const receiver = await makeBrowserPayer();
  const bakery = await makeDashboardMerchant("Corner Bakery");
  await join(receiver, bakery, "owner");
  const replaced = await enrol(bakery, sandboxUrl);
  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, receiver, { baseUrl: sandboxUrl });
  const other = await context.newPage();

  await page.goto("/merchant/directory");
  const form = page.getByRole("form", { name: "Offer the entry" });
  for (const [id, problem] of [
    ["", "Enter the ID of a merchant."],
    ["mch_unknown", "No approved merchant has this ID."],
    [member.merchantId, "This is the ID of your own merchant."],
  ] as const) {
    await form.getByLabel("Merchant ID").fill(id);
    await form.getByRole("button", { name: "Offer entry" }).click();
    await expect(form.getByText(problem)).toBeVisible();
  }
  await form.getByLabel("Merchant ID").fill(bakery);
  await ageProofOf(member);
  await form.getByRole("button", { name: "Offer entry" }).click();
  const offer = page.getByRole("dialog", { name: "Offer your entry to Corner Bakery?" });
  await expect(offer.getByText("can accept within 14 days")).toBeVisible();
  await expectGoodLooks(page, "entry-transfer-offer");
  await offer.getByRole("button", { name: "Send offer" }).click();
  await confirm(page, member, "Confirm and offer");
  await expect(page.getByText("Offered to Corner Bakery")).toBeVisible();
  await expect(form).toHaveCount(0);
  await expectGoodLooks(page, "entry-transfer-open");

  await other.goto("/merchant/directory");
  const received = other.getByRole("article", { name: "Entry of Fresh Market" });
  await expect(received.getByText(entry)).toBeVisible();
  await expectGoodLooks(other, "entry-transfer-received");
  await ageProofOf(receiver);
  await received.getByRole("button", { name: "Accept the entry of Fresh Market" }).click();
  const acceptance = other.getByRole("dialog", { name: "Accept the entry of Fresh Market?" });
  await expect(acceptance.getByText(`Your current entry ${replaced} is withdrawn permanently.`)).toBeVisible();
  await expectGoodLooks(other, "entry-transfer-accept");
  await acceptance.getByRole("button", { name: "Accept" }).click();
  await confirm(other, receiver, "Confirm and accept");
  await expect(other.getByRole("button", { name: `Copy ID ${entry}` })).toBeVisible();
  await expect(other.getByText("Transferred to another merchant")).toBeVisible();
  await expect(other.getByText("Offered to you")).toHaveCount(0);

  // The first page is outdated: the offer isn't open any more.
  await page.getByRole("button", { name: "Cancel offer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel offer" }).click();
  await expect(page.getByText("This offer isn’t open any more.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: `Copy ID ${entry}` })).toHaveCount(0);
  await expect(form).toBeVisible();
  await page.goto(`/merchant/audit?topic=directory`);
  await expect(page.getByText("Directory entry transferred")).toBeVisible();
  expect(await subjectsOf(member)).toEqual([
    "Your directory entry is offered to Corner Bakery",
    "Corner Bakery has your directory entry now",
  ]);
  expect(await subjectsOf(receiver)).toEqual([
    "Fresh Market offers you its directory entry",
    "You have the directory entry of Fresh Market now",
  ]);
  await page.goto(`/directory/${entry}`);
  await expect(page.getByRole("heading", { name: "Corner Bakery" })).toBeVisible();
  await expectGoodLooks(page, "entry-transfer-public");
  await context.close();
});

test("an offer is canceled and declined; a developer sees it without buttons", async ({
  dashboard: page,
  member,
  browser,
  sandboxUrl,
}) => {
  await enrol(member.merchantId, sandboxUrl);
  const bakery = await makeDashboardMerchant("Corner Bakery");
  const [owner, developer] = [await makeBrowserPayer(), await makeBrowserPayer()];
  await join(owner, bakery, "admin");
  await join(developer, bakery, "developer");
  const form = page.getByRole("form", { name: "Offer the entry" });
  const offer = async () => {
    await form.getByLabel("Merchant ID").fill(bakery);
    await form.getByRole("button", { name: "Offer entry" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send offer" }).click();
    await expect(page.getByText("Offered to Corner Bakery")).toBeVisible();
  };
  await page.goto("/merchant/directory");
  await offer();
  await page.getByRole("button", { name: "Cancel offer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel offer" }).click();
  await expect(form).toBeVisible();
  await offer();

  const context = await browser.newContext({ baseURL: sandboxUrl });
  await signInBySession(context, developer, { baseUrl: sandboxUrl });
  const other = await context.newPage();
  await other.goto("/merchant/directory");
  await expect(other.getByRole("heading", { name: "No entry yet" })).toBeVisible();
  await expect(other.getByRole("article", { name: "Entry of Fresh Market" })).toBeVisible();
  await expect(other.getByRole("button", { name: /^(Accept|Decline)/ })).toHaveCount(0);
  await context.clearCookies();
  await signInBySession(context, owner, { baseUrl: sandboxUrl });
  await query((client) => client.query("UPDATE merchant SET suspended_at = now() WHERE id = $1", [bakery]));
  await other.reload();
  await expect(other.getByText("You can accept offers when the suspension is lifted.")).toBeVisible();
  await expect(other.getByRole("button", { name: /^Accept/ })).toHaveCount(0);
  await expectGoodLooks(other, "entry-transfer-suspended");
  await other.getByRole("button", { name: "Decline the entry of Fresh Market" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect(other.getByText("Offered to you")).toHaveCount(0);
  await page.reload();
  await expect(form).toBeVisible();
  await context.close();
});
