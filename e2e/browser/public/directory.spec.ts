import { decodeJwt } from "jose";
import { expect, expectGoodLooks, test } from "../fixtures.ts";

test("the directory finds participants by its search and filters, and links to their entries", async ({ page }) => {
  await page.goto("/directory");
  await expect(page).toHaveTitle("Directory · Paygrant");
  await page.getByLabel("Role").selectOption({ label: "Authorization server" });
  await page.getByLabel("Capability").selectOption({ label: "Pushed authorization requests" });
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/role=authorization_server&capability=par/);
  await expect(page.getByRole("status")).toHaveText("1 participant");
  await expectGoodLooks(page, "directory");
  await page.getByRole("link", { name: /^Paygrant sandbox$/ }).click();
  await expect(page).toHaveURL(/\/directory\/ptc_server$/);
  await expect(page).toHaveTitle("Paygrant sandbox · Directory · Paygrant");
  await expect(page.getByText("Pushed authorization requests").first()).toBeVisible();
  const metadata = page.getByRole("region", { name: "Code of Read the metadata" });
  const address = ((await metadata.textContent()) ?? "").replace(/^\s*curl -s '(.*)'\s*$/, "$1");
  // The history may name the same facts, with their changes.
  const factOf = (name: string) =>
    page
      .getByRole("region", { name: /^(Overview|How to connect)$/ })
      .locator("dt", { hasText: name })
      .locator("+ dd");
  const issuer = await factOf("Issuer").textContent();
  expect(await (await page.request.get(address)).json()).toMatchObject({ issuer });
  const configuration = await factOf("Entity configuration").getByRole("link").getAttribute("href");
  const published = await page.request.get(configuration ?? "");
  expect(published.headers()["content-type"]).toBe("application/entity-statement+jwt");
  const { sub, authority_hints: anchors } = decodeJwt(await published.text());
  await expect(factOf("Federation entity")).toHaveText(String(sub));
  await expect(factOf("Trust anchor")).toHaveText(String(anchors));
  const anchor = await page.request.get((await factOf("Trust anchor").getByRole("link").getAttribute("href")) ?? "");
  expect(decodeJwt(await anchor.text()).sub).toBe(String(anchors));
  await expect(page.getByText("No domain is verified.")).toBeHidden();
  await expect(page.getByText("The directory’s own server has no domains to verify.")).toBeVisible();
  await expectGoodLooks(page, "directory-participant");
});

test("a search without results says so and offers to clear the filters", async ({ page }) => {
  await page.goto("/directory?q=unknown-name&role=merchant");
  await expect(page.getByRole("status")).toHaveText("0 participants");
  await expect(page.getByRole("heading", { name: "No participants found" })).toBeVisible();
  await expectGoodLooks(page, "directory-empty");
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL(/\/directory$/);
  expect((await page.request.get("/directory/ptc_unknown")).status()).toBe(404);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the page of the log shows the published checkpoint, and the form of the list works", async ({ page }) => {
    await page.goto("/directory/log");
    const checkpoint = await (await page.request.get("/directory/log/checkpoint")).text();
    const [origin = ""] = checkpoint.split("\n");
    await expect(page.getByText(origin).first()).toBeVisible();
    await page.getByRole("link", { name: "Directory", exact: true }).first().click();
    await page.getByRole("searchbox").fill("paygrant");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/q=paygrant/);
    await expect(page.getByRole("link", { name: "Paygrant sandbox" })).toBeVisible();
  });

  test("an unknown entry has a not-found page with a link to the list; other unknown paths have a not-found page too", async ({
    page,
  }) => {
    expect((await page.goto("/directory/ptc_unknown"))?.status()).toBe(404);
    await expect(page).toHaveTitle("Page not found · Directory · Paygrant");
    await page.getByRole("link", { name: "Search the directory" }).click();
    await expect(page).toHaveURL(/\/directory$/);
    for (const path of ["/merchant/nowhere", "/operator/payers/acc_unknown/x", "/docs/api/nothing"]) {
      expect((await page.goto(path))?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { name: "Page not found" }), path).toBeVisible();
    }
  });
});

test("the page of an unknown entry is the same with JavaScript, without an error in the browser", async ({ page }) => {
  const problems: Error[] = [];
  page.on("pageerror", (error) => problems.push(error));
  expect((await page.goto("/directory/ptc_unknown"))?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Search the directory" })).toBeVisible();
  await expectGoodLooks(page, "directory-not-found");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(problems).toEqual([]);
});

test("the page of the log has its size, its latest changes and a program to verify it", async ({ page }) => {
  await page.goto("/directory/log");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Transparency log");
  await expect(page.getByRole("button", { name: "Copy verify-log.mjs" })).toBeVisible();
  await expect(page.locator("dt", { hasText: "Tree size" })).toBeVisible();
  await expectGoodLooks(page, "directory-log");
});
