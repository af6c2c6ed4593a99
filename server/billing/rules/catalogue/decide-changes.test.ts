import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../kernel/text/json.ts";
import { canonicalHash } from "../plans/canonical-hash.ts";
import type { PlanDefinition } from "../plans/plan.wire.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { decideChanges, type NewestVersion } from "./decide-changes.ts";

const today = "2027-01-01";
const pro = (change: Partial<PlanDefinition> = {}): PlanDefinition => ({
  name: "Pro",
  effective_from: today,
  interval: "month",
  currencies: { EUR: { flat: 4900 } },
  ...change,
});
const entry = (
  definition: PlanDefinition,
  { isRetired = false, isMigrating = false, id = "pro" } = {},
): CatalogueEntry => ({ kind: "plan", id, definition, isRetired, isMigrating });
const newest = (definition: PlanDefinition, change: Partial<NewestVersion> = {}): NewestVersion => ({
  kind: "plan",
  id: "pro",
  version: 1,
  hash: canonicalHash(definition),
  definition: definition as JsonObject,
  isRetired: false,
  migratesTo: [],
  ...change,
});
const decide = (entries: readonly CatalogueEntry[], current: readonly NewestVersion[] = [], day = today) =>
  decideChanges({ entries, current, today: day });

describe("the changes of a catalogue file (docs/spec/billing.md, Catalogue)", () => {
  test("a new plan is version 1", () => {
    const { changes, problems } = decide([entry(pro())]);
    expect(problems).toEqual([]);
    expect(changes).toMatchObject([{ id: "pro", from: null, version: 1, effectiveFrom: today, migratesTo: [] }]);
  });

  test("an equivalent definition changes nothing, even long after the version took effect", () => {
    const same = pro({ trial_days: 0, public: true, currencies: { EUR: { minimum: 0, flat: 4900 } } });
    expect(decide([entry(same)], [newest(pro())], "2030-01-01")).toEqual({ changes: [], problems: [] });
  });

  test("a changed plan becomes the next version, and its differences are listed", () => {
    const { changes } = decide([entry(pro({ currencies: { EUR: { flat: 5900 } } }))], [newest(pro(), { version: 3 })]);
    const differences = [{ path: "currencies.EUR.flat", from: 4900, to: 5900 }];
    expect(changes).toMatchObject([{ from: 3, version: 4, differences }]);
  });

  test.each([
    ["a new plan", []],
    ["a changed plan", [newest(pro({ name: "Before" }))]],
  ])("%s can't take effect in the past", (_name, current) => {
    const { problems } = decide([entry(pro())], current, "2027-01-02");
    expect(problems).toEqual([
      { pointer: "/plans/pro/effective_from", message: expect.stringContaining("2027-01-01 is in the past") },
    ]);
  });

  test("retired and migrate change the plan without a new version", () => {
    const flags = { isRetired: true, isMigrating: true };
    const { changes } = decide([entry(pro(), flags)], [newest(pro(), { version: 2 })], "2030-01-01");
    expect(changes).toMatchObject([
      {
        from: 2,
        version: 2,
        isRetired: true,
        migratesTo: [2],
        differences: [
          { path: "retired", to: true },
          { path: "migrate", to: "next_period" },
        ],
      },
    ]);
    const after = newest(pro(), { version: 2, isRetired: true, migratesTo: [2] });
    expect(decide([entry(pro(), flags)], [after])).toEqual({ changes: [], problems: [] });
    expect(decide([entry(pro())], [after]).changes).toMatchObject([
      {
        version: 2,
        isRetired: false,
        migratesTo: [],
        differences: [
          { path: "retired", from: true },
          { path: "migrate", from: "next_period" },
        ],
      },
    ]);
  });

  test("migrate adds a migration to the newest version, and its removal ends only that migration", () => {
    const before = newest(pro({ name: "Before" }), { version: 2, migratesTo: [2] });
    expect(decide([entry(pro(), { isMigrating: true })], [before]).changes).toMatchObject([
      { version: 3, migratesTo: [2, 3] },
    ]);
    const after = newest(pro(), { version: 3, migratesTo: [2, 3] });
    expect(decide([entry(pro())], [after]).changes).toMatchObject([{ version: 3, migratesTo: [2] }]);
  });

  test("a later version without migrate doesn't end the migration to the earlier version", () => {
    const before = newest(pro({ name: "Before" }), { version: 2, migratesTo: [2] });
    const differences = expect.arrayContaining([{ path: "migrate", from: "next_period" }]);
    expect(decide([entry(pro())], [before]).changes).toMatchObject([{ version: 3, migratesTo: [2], differences }]);
    const after = newest(pro(), { version: 3, migratesTo: [2] });
    expect(decide([entry(pro())], [after]).changes).toEqual([]);
    expect(decide([entry(pro(), { isRetired: true })], [after]).changes).toMatchObject([{ migratesTo: [2] }]);
  });

  test("a plan that isn't in the file is unchanged", () => {
    expect(decide([], [newest(pro())])).toEqual({ changes: [], problems: [] });
  });

  test("a coupon may name plans in the file or in the catalogue, and no others", () => {
    const coupon: CatalogueEntry = {
      kind: "coupon",
      id: "LAUNCH",
      definition: { percent: "20", plans: ["free", "pro"] },
    };
    expect(decide([coupon, entry(pro(), { id: "free" })], [newest(pro())]).problems).toEqual([]);
    expect(decide([coupon], [newest(pro())]).problems).toEqual([
      { pointer: "/coupons/LAUNCH/plans/0", message: 'plan "free" doesn’t exist' },
    ]);
  });
});
