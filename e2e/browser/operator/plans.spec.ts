import { randomBytes } from "node:crypto";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { test } from "./operator-fixtures.ts";

/** Stores a plan with two versions. The plan is hidden, so that other tests don't list it. @returns the plan's id. */
const insertPlan = async (): Promise<string> => {
  const id = `plan_${randomBytes(6).toString("hex")}`;
  await query(async (client) => {
    await client.query("INSERT INTO billing_plan (id) VALUES ($1)", [id]);
    for (const [version, flat] of [
      [1, 4900],
      [2, 5900],
    ]) {
      const plan = { name: "Contract", effective_from: "2026-01-01", interval: "month", public: false };
      const definition = JSON.stringify({ ...plan, currencies: { EUR: { flat, minimum: 10_000 } } });
      await client.query(
        `INSERT INTO billing_plan_version (plan_id, version, effective_from, is_public, hash, definition, applied_at)
         VALUES ($1, $2, '2026-01-01', false, $3, $4, now())`,
        [id, version, `${id}-${version}`, definition],
      );
    }
  });
  return id;
};

test("an operator finds a plan and compares its versions (docs/spec/portal.md, Operator console)", async ({
  console: page,
}) => {
  const id = await insertPlan();
  await page.goto("/operator");
  await page.getByRole("link", { name: "Plans", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Plans", level: 1 })).toBeVisible();
  await expect(page.getByRole("table", { name: "Coupons" })).toContainText("LAUNCH");
  await expect(page.getByRole("table", { name: "Tax rates" })).toContainText("DE");
  const row = page.getByRole("row").filter({ hasText: id });
  await expect(row).toContainText("Hidden");
  await expectGoodLooks(page, "plans");
  await row.getByRole("link", { name: "Contract" }).click();

  await expect(page.getByRole("heading", { name: "Contract", level: 1 })).toBeVisible();
  await expect(page.getByRole("table", { name: "Versions" }).getByRole("row")).toHaveCount(3);
  const differences = page.getByRole("table", { name: "Differences between version 1 and version 2" });
  await expect(differences.getByRole("row").filter({ hasText: "currencies.EUR.flat" })).toContainText("€49.00");
  await expect(differences.getByRole("row")).toHaveCount(2);
  await expectGoodLooks(page, "plan-versions");

  await page.getByLabel("From", { exact: true }).selectOption("Version 2");
  await page.getByLabel("To", { exact: true }).selectOption("Version 1");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("table", { name: "Differences between version 2 and version 1" })).toBeVisible();
  await page.getByRole("link", { name: "Version 1", exact: true }).click();
  await expect(page.getByRole("table", { name: "Values of version 1" })).toContainText("currencies.EUR.minimum");
  expect((await page.goto(`/operator/plans/${id}?to=9`))?.status()).toBe(404);
});
