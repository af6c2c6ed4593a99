import { ruleGroups } from "#server/http/openapi/rule-table.ts";
import { expect, expectGoodLooks, test, untilIdle } from "../fixtures.ts";

test("the landing page explains the product and links to the wallet, the demo and the API", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let software pay for you, within limits you set");
  await expect(page.getByRole("link", { name: "Try the demo" })).toHaveAttribute("href", "/demo");
  await expect(page.getByRole("link", { name: "Open my wallet" })).toHaveAttribute("href", "/wallet");
  await expect(page.getByRole("link", { name: "API" }).first()).toHaveAttribute("href", "/docs");
});

test("/docs has a page for every operation of /openapi.json (docs/spec/oauth.md, OpenAPI document)", async ({
  page,
}) => {
  // Long pages, which axe reads four times.
  test.slow();
  await page.goto("/docs");
  const { paths } = await (await page.request.get("/openapi.json")).json();
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  const listed = page.locator("main li[data-moved]:not(#rate-limits)");
  expect((await listed.evaluateAll((found) => found.map(({ id }) => id))).sort()).toEqual(ids.sort());
  await page.getByRole("link", { name: "Get an access token" }).click();
  await expect(page).toHaveURL(/\/docs\/api\/token$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get an access token");
  await page.locator("summary", { hasText: "Error" }).click();
  await expect(page.getByText("invalid_grant").first()).toBeVisible();
  await page.goto("/docs/api/createCharge");
  await page.locator("summary", { hasText: "Error" }).click();
  await expectGoodLooks(page, "docs-operation");
  await page.getByRole("link", { name: "refused_by_mandate" }).click();
  await expect(page).toHaveURL(/\/docs\/errors#refused_by_mandate$/);
});

test("the documentation's search finds operations, fields, events, errors and rules", async ({ page }) => {
  await page.goto("/docs/errors");
  await page.getByRole("searchbox").fill("capture_method");
  await page.getByRole("searchbox").press("Enter");
  await expect(page).toHaveURL(/\/docs\?q=capture_method$/);
  const results = page.getByRole("list", { name: "Results" });
  await expect(results.getByRole("link", { name: /^Charge a mandate/ })).toHaveAttribute(
    "href",
    "/docs/api/createCharge",
  );
  for (const [query, href] of [
    ["charge.reconciled", "/docs/webhooks#charge.reconciled"],
    ["idempotency_key_reused", "/docs/errors#idempotency_key_reused"],
    ["iat differs 60 seconds", "/docs/rules/dpop-proof#proof-age"],
    ["metadata.simulate", "/docs/sandbox"],
    ["valid_until", "/docs/api/authorizationDetailsTypes#payment_mandate_v1"],
    ["max_amount_per_payment", "/docs/api/authorizationDetailsTypes#payment_mandate_v1"],
    ["amount_captured", "/docs/api/getCharge"],
  ] as const) {
    await page.getByRole("searchbox").fill(query);
    await expect(results.locator(`a[href="${href}"]`)).toBeVisible();
  }
  // Contracts mark code with backticks, which the results must not show.
  await page.getByRole("searchbox").fill("request_uri");
  await expect(results).not.toContainText("`");
  await page.getByRole("searchbox").fill("nothing-like-this");
  await expect(page.getByText("No results for “nothing-like-this”.")).toBeVisible();
});

test("the page of a pushed request links to the fields of authorization_details", async ({ page }) => {
  await page.goto("/docs/api/pushAuthorizationRequest");
  await page.getByRole("link", { name: "fields of payment_mandate_v1" }).click();
  await expect(page).toHaveURL(/\/docs\/api\/authorizationDetailsTypes#payment_mandate_v1$/);
  const fields = page.getByRole("list", { name: "Fields of payment_mandate_v1" });
  for (const name of ["valid_until", "max_amount_per_payment", "periodic_limits", "category"]) {
    await expect(fields.getByText(name, { exact: true })).toBeVisible();
  }
  await expectGoodLooks(page, "docs-details-type");
});

test("URLs of the former single pages /docs and /docs/rules redirect to the pages that replaced them", async ({
  page,
}) => {
  for (const [old, now] of [
    ["/docs#token", "/docs/api/token"],
    ["/docs#rate-limits", "/docs/rate-limits"],
    ["/docs/rules#proof-age", "/docs/rules/dpop-proof#proof-age"],
  ] as const) {
    await page.goto("/");
    await page.goto(old);
    await page.waitForURL(`**${now}`);
  }
});

test("/docs/rules shows the table of checks for requests (docs/spec/oauth.md, Rule table)", async ({ page }) => {
  // Long pages, which axe reads four times.
  test.slow();
  await page.goto("/docs/rules");
  const listed = await page.locator("main li[data-moved]").evaluateAll((found) => found.map(({ id }) => id));
  expect(listed).toEqual(ruleGroups.flatMap(({ rules }) => rules.map(({ name }) => name)));
  await page.getByRole("main").getByRole("link", { name: "DPoP proof", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DPoP proof");
  const rule = page.locator("#proof-age");
  await expect(rule).toContainText("iat differs from the server's time by more than 60 seconds");
  await expect(rule).toContainText("RFC 9449 §4.3 (11)");
  await rule.getByRole("link", { name: "iat differs from the server's time by more than 60 seconds" }).click();
  await expect(page).toHaveURL(/\/docs\/rules\/dpop-proof#proof-age$/);
  await page.goto("/docs/rules/revocation");
  await page.getByRole("link", { name: "revokeToken" }).first().click();
  await expect(page).toHaveURL(/\/docs\/api\/revokeToken$/);
});

test("the navigation marks each guide as the current page", async ({ page }) => {
  for (const guide of ["webhooks", "sandbox", "clients", "rate-limits", "errors"]) {
    await page.goto(`/docs/${guide}`);
    await expect(page.getByRole("navigation", { name: "Documentation" }).locator("[aria-current=page]")).toHaveCount(1);
  }
});

test("a theme is kept without a flash of the other theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const html = await (await page.request.get("/")).text();
  expect(html).toContain('<html lang="en" data-theme="dark"');
  await page.reload();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
});

test("an unknown page is a 404 with a message", async ({ page }) => {
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page).toHaveTitle("Page not found · Paygrant");
  await expect(page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Wallet" })).toBeVisible();
  await expectGoodLooks(page, "not-found");
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });
  test("an unknown page is in the visitor's language", async ({ page }) => {
    await page.goto("/no/such/page");
    await expect(page.getByRole("heading", { name: "Seite nicht gefunden" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Zur Startseite" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
  });
});

test("production links to the demo in the sandbox", async ({ page }) => {
  const production = process.env["E2E_PRODUCTION_URL"];
  test.skip(!production, "needs a production instance");
  await page.goto(`${production}/demo`);
  await expect(page.getByRole("heading", { name: "The demo runs in the sandbox" })).toBeVisible();
});

test("pages run only allowed scripts, and load nothing from other origins", async ({ page, sandboxUrl }) => {
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
    await untilIdle(page);
  }
  expect({ foreign, problems }).toEqual({ foreign: [], problems: [] });
});
