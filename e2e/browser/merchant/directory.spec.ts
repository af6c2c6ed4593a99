import type { Page } from "@playwright/test";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { registerApp, test } from "./merchant-fixtures.ts";

// No domain can be verified in these tests. server/trpc/merchant/directory/merchant-directory.db.test.ts verifies one.

/** Stores thirty days of checks, three of which failed, and one change of the metadata. */
const fillHealth = (merchantId: string) =>
  query(async (client) => {
    const participant = "(SELECT id FROM participant WHERE merchant_id = $1)";
    await client.query(
      `UPDATE participant_health SET check_due_at = now() + interval '1 day', last_success_at = now(), latency_ms = 84, problem = NULL, failed_checks = 0,
         days = (SELECT jsonb_agg(jsonb_build_object('day', to_char(now() AT TIME ZONE 'UTC' - make_interval(days => ago), 'YYYY-MM-DD'),
           'up', CASE ago WHEN 9 THEN 21 ELSE 24 END, 'down', CASE ago WHEN 9 THEN 3 ELSE 0 END, 'latencySumMs', CASE ago WHEN 9 THEN 21 ELSE 24 END * 84))
           FROM generate_series(0, 29) AS ago)
       WHERE participant_id = ${participant}`,
      [merchantId],
    );
    await client.query(
      `INSERT INTO participant_metadata_change (participant_id, uri, part, changed_at, diff)
       VALUES (${participant}, 'https://market.invalid/.well-known/oauth-protected-resource', 'jwks', now(), '[{"op": "add", "path": "/keys/1", "value": {}}]')`,
      [merchantId],
    );
  });

/** Stores an entity with a failed fetch: no host of these tests has a configuration. */
const fillEntity = (merchantId: string) =>
  query((client) =>
    client.query(
      `INSERT INTO participant_federation_entity (participant_id, entity_id, configuration, key_thumbprints, entity_types, valid_until, fetched_at, problem, check_due_at)
       SELECT id, 'https://id.market.invalid', '', '{a,b}', '{oauth_client}', now() + interval '1 day', now(), 'The host does not answer within 5 seconds.', now() + interval '1 day'
         FROM participant WHERE merchant_id = $1`,
      [merchantId],
    ),
  );

/** Tries to register a federation entity, and removes one. */
const registerEntity = async (page: Page, merchantId: string) => {
  const form = page.getByRole("form", { name: "Register a federation entity" });
  await form.getByLabel("Entity identifier").fill("https://id.shop.invalid");
  await form.getByRole("button", { name: "Register entity" }).click();
  await expect(form.getByText("must be a verified domain of the entry")).toBeVisible();
  await form.getByLabel("Entity identifier").fill("https://id.market.invalid");
  await form.getByRole("button", { name: "Register entity" }).click();
  await expect(form.getByText("The host has no public IP address that responds.")).toBeVisible();
  await expect(form.getByLabel("Entity identifier")).toHaveValue("https://id.market.invalid");
  await fillEntity(merchantId);
  await page.reload();
  const entity = page.getByRole("article", { name: "https://id.market.invalid" });
  await expect(entity.getByText("Last fetch failed")).toBeVisible();
  await expect(entity.getByText("The host does not answer within 5 seconds.")).toBeVisible();
  await expectGoodLooks(page, "merchant-directory-federation");
  await entity.getByRole("button", { name: "Remove https://id.market.invalid" }).click();
  await page
    .getByRole("dialog", { name: "Remove https://id.market.invalid?" })
    .getByRole("button", { name: "Remove entity" })
    .click();
  await expect(page.getByRole("heading", { name: "No federation entity yet" })).toBeVisible();
};

test("an owner edits the entry, claims a domain, sees its proofs and checks, and removes the domain", async ({
  dashboard: page,
  member,
  sandboxUrl,
}) => {
  await page.goto("/merchant/directory");
  await expect(page).toHaveTitle("Directory · Merchant · Paygrant");
  await expect(page.getByRole("heading", { name: "No entry yet" })).toBeVisible();
  await expectGoodLooks(page, "merchant-directory-none");
  await registerApp(member.merchantId, sandboxUrl);
  await page.reload();

  const entry = page.getByRole("form", { name: "Entry" });
  await entry.getByLabel("Website").fill("http://market.example");
  await entry.getByLabel("Contacts").fill("pay@market.example\nnot-an-address");
  await entry.getByRole("button", { name: "Save entry" }).click();
  await expect(entry.getByText("Enter an https address")).toBeVisible();
  await expect(entry.getByText("“not-an-address” isn’t an e-mail address.")).toBeVisible();
  await expect(entry.getByLabel("Contacts")).toHaveValue("pay@market.example\nnot-an-address");
  await entry.getByLabel("Website").fill("https://market.example/");
  await entry.getByLabel("Contacts").fill("pay@market.example");
  await entry.getByLabel("Largest charge").fill("EUR 2500.00");
  await entry.getByRole("button", { name: "Save entry" }).click();
  await expect(entry.getByText("Saved.")).toBeVisible();
  await expect(page.getByText("Edited")).toBeVisible();
  await expect(page.getByText("by the merchant")).toBeVisible();

  const claim = page.getByRole("form", { name: "Claim a domain" });
  await claim.getByLabel("Domain").fill("https://market.example");
  await claim.getByRole("button", { name: "Claim domain" }).click();
  await expect(claim.getByText("Enter a domain without https://")).toBeVisible();
  await expect(claim.getByLabel("Domain")).toHaveValue("https://market.example");
  await claim.getByLabel("Domain").fill("market.invalid");
  await claim.getByRole("button", { name: "Claim domain" }).click();
  await expect(claim.getByText("You claimed market.invalid.")).toBeVisible();
  const domain = page.getByRole("article", { name: "market.invalid" });
  await expect(domain.getByText("https://market.invalid/.well-known/paygrant-participants.json")).toBeVisible();
  await expect(domain.getByText("_paygrant-challenge.market.invalid")).toBeVisible();
  await expect(domain.getByRole("button", { name: "Copy value of the record" })).toBeVisible();
  await domain.getByRole("button", { name: "Check now: market.invalid" }).click();
  await expect(domain.getByText("At least one DNS resolver didn’t return the TXT record")).toBeVisible();
  await expect(domain.getByText("Last check")).toBeVisible();
  await expectGoodLooks(page, "merchant-directory");

  await query((client) =>
    client.query(
      `UPDATE participant_domain d SET verified_at = now(), check_due_at = now() + interval '1 day', failed_checks = 1
         FROM participant p WHERE p.id = d.participant_id AND p.merchant_id = $1`,
      [member.merchantId],
    ),
  );
  await page.reload();
  await expect(domain.getByText("Check failed")).toBeVisible();
  await expect(domain.getByText("Next check")).toBeVisible();

  const metadata = entry.getByLabel("Metadata documents");
  await metadata.fill("https://shop.invalid/.well-known/oauth-protected-resource");
  await entry.getByRole("button", { name: "Save entry" }).click();
  await expect(entry.getByText("must be a verified domain of the entry")).toBeVisible();
  await metadata.fill("https://market.invalid/.well-known/oauth-protected-resource");
  await entry.getByRole("button", { name: "Save entry" }).click();
  await expect(entry.getByText("Saved.")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("can’t be reached: its host has no public IP address that responds")).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await fillHealth(member.merchantId);
  await page.reload();
  await expect(page.getByText("Keys changed")).toBeVisible();
  await expectGoodLooks(page, "merchant-directory-health");
  await registerEntity(page, member.merchantId);
  await page.getByRole("link", { name: "Public page" }).click();
  await expect(page.getByText("99.583% uptime in 30 days")).toBeVisible();
  await expect(page.getByRole("button", { name: /up 88% of the time, 84 ms on average$/ })).toBeVisible();
  await expectGoodLooks(page, "directory-health");
  await page.goto("/merchant/directory");

  await domain.getByRole("button", { name: "Remove market.invalid" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove market.invalid?" });
  await expect(dialog.getByText("The directory no longer lists the domain.")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove domain" }).click();
  await expect(page.getByRole("heading", { name: "No domains yet" })).toBeVisible();

  await page.getByRole("button", { name: "Withdraw entry" }).click();
  const withdrawal = page.getByRole("dialog", { name: "Withdraw your entry?" });
  await expect(
    withdrawal.getByText("On the consent page, payers see the agents of your entry as not verified"),
  ).toBeVisible();
  await withdrawal.getByRole("button", { name: "Withdraw entry" }).click();
  await expect(page.getByText("Its public page and its history are kept.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Claim domain" })).toHaveCount(0);
  await expectGoodLooks(page, "merchant-directory-withdrawn");

  const suspend = (at: string) =>
    query((client) =>
      client.query(`UPDATE participant SET suspended_at = ${at} WHERE merchant_id = $1`, [member.merchantId]),
    );
  await suspend("now()");
  await page.reload();
  await expect(page.getByText("The entry can’t be changed or listed again until the suspension ends.")).toBeVisible();
  for (const name of ["List again", "Save entry", /^Remove/]) {
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  await suspend("NULL");
  await page.reload();
  await page.getByRole("button", { name: "List again" }).click();
  await page
    .getByRole("dialog", { name: "List your entry again?" })
    .getByRole("button", { name: "List entry" })
    .click();
  await expect(page.getByText("It becomes active when you verify a domain.")).toBeVisible();

  await page.getByRole("link", { name: "log entry" }).last().click();
  await expect(page.getByText(member.merchantId)).toBeVisible();
});

/** Stores two agent tokens: one is live and was used, the other one has expired. */
const fillTokens = (merchantId: string) =>
  query((client) =>
    client.query(
      `INSERT INTO initial_access_token (id, secret_hash, kind, participant_id, scopes, uses_left, label, created_at, expires_at, last_used_at)
       SELECT 'iat_' || n || p.id, n || p.id, 'agent', p.id, '{grant_management_query,grant_management_revoke}', n, 'Procurement agents of the Zurich office',
              now() - interval '40 days', now() + make_interval(days => 30 * n - 40), CASE n WHEN 2 THEN now() END
         FROM participant p, generate_series(1, 2) AS n WHERE p.merchant_id = $1`,
      [merchantId],
    ),
  );

test("the table of agent tokens breaks no word at 1280 px, and fits", async ({
  dashboard: page,
  member,
  sandboxUrl,
}) => {
  await registerApp(member.merchantId, sandboxUrl);
  await fillTokens(member.merchantId);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/merchant/directory");
  const table = page.getByRole("table", { name: "Initial access tokens" });
  await expect(table.getByText("Last used")).toBeVisible();
  await expect(table.getByText("Never used")).toBeVisible();
  const { broken, overflow } = await table.evaluate((element) => {
    const box = element.parentElement;
    // If a cell contains a broken word, its height decreases when words may not break.
    const cells = [...element.querySelectorAll<HTMLElement>("td")].filter((cell) => {
      const before = cell.getBoundingClientRect().height;
      cell.style.overflowWrap = "normal";
      const isBroken = cell.getBoundingClientRect().height < before;
      cell.style.overflowWrap = "";
      return isBroken;
    });
    return { broken: cells.map((cell) => cell.textContent), overflow: box ? box.scrollWidth - box.clientWidth : -1 };
  });
  expect({ broken, overflow }).toEqual({ broken: [], overflow: 0 });
  await expectGoodLooks(page, "merchant-directory-tokens");
});

test.describe("a viewer", () => {
  test.use({ role: "viewer" });

  test("reads the entry without forms", async ({ dashboard: page, member, sandboxUrl }) => {
    await registerApp(member.merchantId, sandboxUrl);
    await page.goto("/merchant/directory");
    await expect(page.getByText("It becomes active when you verify a domain.")).toBeVisible();
    await expect(page.getByRole("form", { name: "Entry" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Claim domain" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Withdraw entry" })).toHaveCount(0);
  });
});
