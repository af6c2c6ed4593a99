import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { applyCatalogue } from "./apply-catalogue.ts";
import { comparePlanVersions } from "./compare-plan-versions.ts";
import { listCatalogue } from "./list-catalogue.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2027-01-15T12:00:00Z") });
  const plan = (flat: number, from: string) =>
    `catalogue: 1\nplans: {pro: {name: Pro, effective_from: ${from}, interval: month, currencies: {EUR: {flat: ${flat}}}}}\n`;
  const more = `coupons: {A: {percent: "5"}}\ntax_rates: {DE: {category: S, rate: "19", behaviour: exclusive}}\n`;
  for (const text of [plan(4900, "2027-01-15") + more, plan(5900, "2027-02-01"), plan(6900, "2027-03-01")]) {
    const actor = { kind: "operator", id: "acc_1" } as const;
    await applyCatalogue(deps, { text, isDryRun: false, actor, requestId: "req_1" });
  }
});
afterAll(() => deps.close());

const compare = (from: number | null = null, to: number | null = null, planId = "pro") =>
  comparePlanVersions(deps, { planId, from, to });

test("the catalogue lists plans with the version in effect, coupons and tax rates (docs/spec/portal.md, Operator console)", async () => {
  const { plans, coupons, taxRates } = await listCatalogue(deps);
  expect(plans).toMatchObject([{ id: "pro", version: 3, inEffect: 1, subscribers: 0, effectiveFrom: "2027-03-01" }]);
  expect(coupons).toEqual([{ id: "A", version: 1, definition: { percent: "5" } }]);
  expect(taxRates).toMatchObject([{ id: "DE", version: 1, definition: { rate: "19" } }]);
});

test("the console compares a plan's two newest versions, or two chosen versions (docs/spec/portal.md, Operator console)", async () => {
  const flat = (from: number, to: number) => ({ path: "currencies.EUR.flat", from, to });
  const newest = await compare();
  expect(newest).toMatchObject({ from: 2, to: 3 });
  expect(newest.versions.map(({ version }) => version)).toEqual([3, 2, 1]);
  expect(newest.differences).toEqual([
    { path: "effective_from", from: "2027-02-01", to: "2027-03-01" },
    flat(5900, 6900),
  ]);
  expect((await compare(3, 1)).differences).toContainEqual(flat(6900, 4900));
  expect((await compare(2, 2)).differences).toEqual([]);
  const first = await compare(null, 1);
  expect(first).toMatchObject({ from: null, to: 1 });
  expect(first.differences).toContainEqual({ path: "currencies.EUR.flat", to: 4900 });
});

test("an unknown plan or version isn't found", async () => {
  for (const [from, to, planId] of [
    [null, null, "free"],
    [null, 4, "pro"],
    [4, 1, "pro"],
  ] as const)
    expect(await refusalOf(compare(from, to, planId))).toMatchObject({ code: "plan_not_found" });
});
