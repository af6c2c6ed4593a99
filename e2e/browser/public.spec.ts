import { ruleGroups } from "#server/http/rule-table.ts";
import { expect, expectGoodLooks, test } from "./fixtures.ts";

test("the landing page says what this is and leads to wallet, demo and API", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let software pay for you, within limits you set");
  await expect(page.getByRole("link", { name: "Try the demo" })).toHaveAttribute("href", "/demo");
  await expect(page.getByRole("link", { name: "Open my wallet" })).toHaveAttribute("href", "/wallet");
  await expect(page.getByRole("link", { name: "API" }).first()).toHaveAttribute("href", "/docs");
  await expectGoodLooks(page, "landing");
});

test("/docs is a readable page of /openapi.json (1-oauth)", async ({ page }) => {
  // A long page, which axe reads four times.
  test.slow();
  await page.goto("/docs");
  const { paths } = await (await page.request.get("/openapi.json")).json();
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect((await page.locator("article").evaluateAll((found) => found.map(({ id }) => id))).sort()).toEqual(ids.sort());
  await page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: "POST /oauth/token" }).click();
  const token = page.locator("#token");
  await expect(token.getByRole("heading", { name: "Get an access token" })).toBeInViewport();
  await token.locator("summary", { hasText: "Error" }).click();
  await expect(token.getByText("invalid_grant").first()).toBeVisible();
  await page.locator("#createCharge summary", { hasText: "Error" }).click();
  await page.locator("#createCharge").getByRole("link", { name: "refused_by_mandate" }).click();
  await expect(page).toHaveURL(/\/docs\/errors#refused_by_mandate$/);
  await page.goto("/docs#token");
  await expectGoodLooks(page, "docs");
});

test("/docs/rules shows the table that requests are checked by (1-oauth, Rules, each with its source)", async ({
  page,
}) => {
  // A long page, which axe reads four times.
  test.slow();
  await page.goto("/docs");
  await page.getByRole("main").getByRole("link", { name: "rules", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rules");
  const shown = await page.locator("main li[id]").evaluateAll((found) => found.map(({ id }) => id));
  expect(shown).toEqual(ruleGroups.flatMap(({ rules }) => rules.map(({ name }) => name)));
  await page.getByRole("navigation", { name: "Chapters" }).getByRole("link", { name: "DPoP proof" }).click();
  await expect(page.getByRole("heading", { name: "DPoP proof", exact: true })).toBeInViewport();
  const rule = page.locator("#proof-age");
  await expect(rule).toContainText("iat is more than 60 seconds away");
  await expect(rule).toContainText("RFC 9449 §4.3 (11)");
  await rule.getByRole("link", { name: "iat is more than 60 seconds away" }).click();
  await expect(page).toHaveURL(/\/docs\/rules#proof-age$/);
  await page.locator("section", { hasText: "Revocation" }).getByRole("link", { name: "revokeToken" }).first().click();
  await expect(page).toHaveURL(/\/docs#revokeToken$/);
  await page.goto("/docs/rules#proof-age");
  await expect(rule).toBeInViewport();
  await expectGoodLooks(page, "docs-rules");
});

test("a theme is kept without a flash of the other one", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const html = await (await page.request.get("/")).text();
  expect(html).toContain('<html lang="en" data-theme="dark"');
  await page.reload();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
});

test("an unknown page is a 404 that says so", async ({ page }) => {
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is no such page" })).toBeVisible();
  await expectGoodLooks(page, "not-found");
});

test("production says where the demo is", async ({ page }) => {
  const production = process.env["E2E_PRODUCTION_URL"];
  test.skip(!production, "needs a production instance");
  await page.goto(`${production}/demo`);
  await expect(page.getByRole("heading", { name: "The demo lives in the sandbox" })).toBeVisible();
});

test("pages run no script that the policy doesn't name, and load nothing from elsewhere", async ({
  page,
  sandboxUrl,
}) => {
  const foreign: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(sandboxUrl) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  for (const path of ["/", "/sign-in", "/demo"]) {
    const answer = await page.goto(path);
    expect(answer?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
    // What a page asks for of its own accord comes soon; one whose network never rests is judged all the same.
    await Promise.race([page.waitForLoadState("networkidle", { timeout: 0 }), page.waitForTimeout(20_000)]);
  }
  expect({ foreign, problems }).toEqual({ foreign: [], problems: [] });
});
