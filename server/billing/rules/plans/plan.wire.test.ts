import { expect, test } from "vitest";
import { fieldErrors } from "../../../contract/body/field-errors.ts";
import { parseExact } from "../exact/exact.ts";
import { canonicalHash } from "./canonical-hash.ts";
import { couponDefinitionSchema } from "./coupon.wire.ts";
import { planDefinitionSchema, planEntrySchema } from "./plan.wire.ts";
import { taxRateDefinitionSchema } from "./tax-rate.wire.ts";
import { toPlanTerms } from "./to-plan-terms.ts";

const pro = {
  name: "Pro",
  effective_from: "2027-01-01",
  interval: "month",
  trial_days: 14,
  currencies: {
    EUR: {
      flat: 4900,
      minimum: 10000,
      prices: {
        tokens_issued: {
          model: "graduated",
          flat_at_zero: false,
          tiers: [{ up_to: 10000, unit: "0" }, { unit: "0.8" }],
        },
        successful_charges: { model: "basis_points", rate: "29", min: "5", max: "1200" },
        "own:sms_sent": { model: "package", size: 100, amount: 500, free_units: 200 },
      },
    },
  },
};

const currencyOf = (terms: object) => ({ ...pro, currencies: { EUR: terms } });
const priced = (prices: object) => currencyOf({ prices });
const problemsOf = (definition: unknown) => {
  const { error } = planDefinitionSchema.safeParse(definition);
  return error ? fieldErrors(error, "") : [];
};

test("converts the plan in the specification to terms (docs/spec/billing.md, Price models)", () => {
  const terms = toPlanTerms(planDefinitionSchema.parse(pro));
  expect([terms.interval, terms.trialDays, [...terms.currencies.keys()]]).toEqual(["month", 14, ["EUR"]]);
  const euro = terms.currencies.get("EUR");
  expect([euro?.flat, euro?.minimum, euro?.maximum]).toEqual([4900n, 10000n, null]);
  expect([...(euro?.prices ?? [])]).toEqual([
    [
      "tokens_issued",
      {
        model: "graduated",
        tiers: [
          { upTo: 10000n, unit: 0n, flat: 0n },
          { upTo: null, unit: parseExact("0.8"), flat: 0n },
        ],
        flatAtZero: false,
        freeUnits: 0n,
      },
    ],
    [
      "successful_charges",
      { model: "basis_points", rate: parseExact("29"), min: parseExact("5"), max: parseExact("1200") },
    ],
    ["own:sms_sent", { model: "package", size: 100n, amount: 500n, freeUnits: 200n }],
  ]);
});

const tier = { up_to: 10, unit: "1" };
const basisPoints = { model: "basis_points", rate: "29" };

test.each([
  ["an unknown meter", priced({ tokens: { model: "per_unit", unit: "1" } }), "/currencies/EUR/prices/tokens"],
  [
    "a merchant's own meter with the name of a built-in meter",
    priced({ "own:step_ups": { model: "per_unit", unit: "1" } }),
    "/currencies/EUR/prices/own:step_ups",
  ],
  ["an unknown currency", { ...pro, currencies: { XXX: {} } }, "/currencies/XXX"],
  ["no currency", { ...pro, currencies: {} }, "/currencies"],
  [
    "a price as a number",
    priced({ step_ups: { model: "per_unit", unit: 0.8 } }),
    "/currencies/EUR/prices/step_ups/unit",
  ],
  [
    "more than 12 fraction digits",
    priced({ step_ups: { model: "per_unit", unit: "0.1234567890123" } }),
    "/currencies/EUR/prices/step_ups/unit",
  ],
  ["an unknown model", priced({ step_ups: { model: "steps", unit: "1" } }), "/currencies/EUR/prices/step_ups/model"],
  [
    "unordered tiers",
    priced({ step_ups: { model: "volume", tiers: [tier, tier, { unit: "1" }] } }),
    "/currencies/EUR/prices/step_ups/tiers/1/up_to",
  ],
  [
    "a last tier with an upper bound",
    priced({ step_ups: { model: "volume", tiers: [tier] } }),
    "/currencies/EUR/prices/step_ups/tiers/0/up_to",
  ],
  [
    "a tier without an upper bound before the last",
    priced({ step_ups: { model: "volume", tiers: [{ unit: "1" }, { unit: "1" }] } }),
    "/currencies/EUR/prices/step_ups/tiers/0/up_to",
  ],
  [
    "free units with basis points",
    priced({ successful_charges: { ...basisPoints, free_units: 1 } }),
    "/currencies/EUR/prices/successful_charges/free_units",
  ],
  [
    "a minimum above the maximum per charge",
    priced({ successful_charges: { ...basisPoints, min: "10", max: "9.5" } }),
    "/currencies/EUR/prices/successful_charges/min",
  ],
  ["basis points on another meter", priced({ step_ups: basisPoints }), "/currencies/EUR/prices/step_ups/model"],
  ["a maximum below the minimum", currencyOf({ minimum: 2, maximum: 1 }), "/currencies/EUR/maximum"],
  ["a fraction of a minor unit", currencyOf({ flat: 1.5 }), "/currencies/EUR/flat"],
  ["a day that doesn't exist", { ...pro, effective_from: "2027-02-30" }, "/effective_from"],
  ["an unknown member", { ...pro, price: 1 }, "/price"],
])("refuses %s and names the field (docs/spec/billing.md, Price models)", (_what, definition, pointer) => {
  const problems = problemsOf(definition);
  expect(problems.map((problem) => problem.pointer)).toEqual([pointer]);
  expect(problems[0]?.detail).not.toMatch(/Invalid/);
});

test("`retired` and `migrate` belong to the plan, not to its version (docs/spec/billing.md, Price models)", () => {
  expect(planEntrySchema.safeParse({ ...pro, retired: true, migrate: "next_period" }).success).toBe(true);
  expect(problemsOf({ ...pro, retired: true }).map(({ pointer }) => pointer)).toEqual(["/retired"]);
});

test("equivalent definitions have the same hash, and other definitions have different hashes (docs/spec/billing.md, Price models)", () => {
  const hashOf = (definition: unknown) => canonicalHash(planDefinitionSchema.parse(definition));
  const { EUR } = pro.currencies;
  const reordered = {
    currencies: { EUR: { prices: EUR.prices, minimum: 10000, flat: 4900 } },
    trial_days: 14,
    public: true,
    interval: "month",
    effective_from: "2027-01-01",
    name: "Pro",
  };
  expect(hashOf(pro)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(reordered)).toBe(hashOf(pro));
  const same = priced({ step_ups: { model: "per_unit", unit: "0.80", free_units: 0 } });
  expect(hashOf(same)).toBe(hashOf(priced({ step_ups: { model: "per_unit", unit: "0.8" } })));
  const others = [
    { ...pro, name: "Pro 2" },
    { ...pro, public: false },
    { ...pro, trial_days: 0 },
    currencyOf({ ...EUR, flat: 4901 }),
  ];
  expect(new Set([pro, ...others].map(hashOf)).size).toBe(others.length + 1);
});

test.each([
  [{ percent: "20", plans: ["pro"], duration_months: 3 }, []],
  [{ amount: 500, currency: "EUR", meters: ["own:sms_sent"] }, []],
  [{}, ["/percent"]],
  [{ percent: "20", amount: 1, currency: "EUR" }, ["/percent"]],
  [{ amount: 500 }, ["/currency"]],
  [{ percent: "20", currency: "EUR" }, ["/currency"]],
  [{ percent: "100.5" }, ["/percent"]],
  [{ percent: "0" }, ["/percent"]],
  [{ percent: 20 }, ["/percent"]],
  [{ percent: "20", meters: ["sms"] }, ["/meters/0"]],
])("coupon %j has problems at %j (docs/spec/billing.md, Price models)", (definition, pointers) => {
  const { error } = couponDefinitionSchema.safeParse(definition);
  expect(error ? fieldErrors(error, "").map(({ pointer }) => pointer) : []).toEqual(pointers);
});

test.each([
  [{ category: "S", rate: "19", behaviour: "exclusive" }, []],
  [{ category: "AE", rate: "0", behaviour: "inclusive" }, []],
  [{ category: "S", rate: "0", behaviour: "exclusive" }, ["/rate"]],
  [{ category: "AE", rate: "19", behaviour: "exclusive" }, ["/rate"]],
  [{ category: "S", rate: "101", behaviour: "exclusive" }, ["/rate"]],
  [{ category: "X", rate: "19", behaviour: "exclusive" }, ["/category"]],
])("tax rate %j has problems at %j (EN 16931, BR-S-5, BR-AE-5)", (definition, pointers) => {
  const { error } = taxRateDefinitionSchema.safeParse(definition);
  expect(error ? fieldErrors(error, "").map(({ pointer }) => pointer) : []).toEqual(pointers);
});
