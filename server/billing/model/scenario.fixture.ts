import fc from "fast-check";
import { formatExact } from "../rules/exact/exact.ts";
import type { Price } from "../rules/plans/terms.ts";
import { chargePrice, unitPrice } from "../rules/prices/price-model.fixture.ts";

const ownMeters = ["sms", "data"] as const;
/** With 0, 2 and 3 decimals. */
const currencies = ["JPY", "EUR", "BHD"] as const;
const taxRegions = ["none", "DE", "FR"] as const;

export type ScenarioPlan = {
  flat: bigint;
  minimum: bigint;
  maximum: bigint | null;
  prices: ReadonlyMap<string, Price>;
  otherFee: Price;
};
type Step =
  | { kind: "usage"; meter: (typeof ownMeters)[number]; quantity: number; ageHours: number }
  | { kind: "charge"; amount: number; isOther: boolean }
  | { kind: "refund"; index: number; percent: number }
  | { kind: "failure"; index: number }
  | { kind: "void"; index: number }
  | { kind: "change"; plan: number; effective: "now" | "period_end" }
  | { kind: "end" }
  | { kind: "tax"; region: Exclude<(typeof taxRegions)[number], "none"> }
  | { kind: "credit"; credit: "prepaid" | "promotional"; amount: number; priority: number };

/** A merchant, its plans, and the steps that it takes, in chronological order. */
export type Scenario = {
  interval: "month" | "quarter";
  start: Date;
  timeZone: string;
  currency: string;
  other: string;
  region: (typeof taxRegions)[number];
  plans: readonly [ScenarioPlan, ScenarioPlan];
  /** `minutes`: time since `start` */
  steps: readonly (Step & { minutes: number })[];
};

const plan: fc.Arbitrary<ScenarioPlan> = fc
  .record({
    flat: fc.bigInt({ min: 0n, max: 5_000n }),
    minimum: fc.bigInt({ min: 0n, max: 4_000n }),
    above: fc.option(fc.bigInt({ min: 0n, max: 4_000n }), { nil: null, freq: 2 }),
    sms: unitPrice,
    data: unitPrice,
    fee: chargePrice,
    otherFee: chargePrice,
  })
  .map(({ flat, minimum, above, sms, data, fee, otherFee }) => {
    const prices = new Map([
      ["own:sms", sms],
      ["successful_charges", fee],
      ["own:data", data],
    ]);
    return { flat, minimum, maximum: above === null ? null : minimum + above, prices, otherFee };
  });

const ofKind = {
  usage: fc.record({
    kind: fc.constant("usage" as const),
    meter: fc.constantFrom(...ownMeters),
    quantity: fc.integer({ min: 1, max: 40 }),
    ageHours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 34 * 24 })),
  }),
  charge: fc.record({
    kind: fc.constant("charge" as const),
    amount: fc.integer({ min: 1, max: 300 }),
    isOther: fc.boolean(),
  }),
  refund: fc.record({
    kind: fc.constant("refund" as const),
    index: fc.nat(9),
    percent: fc.integer({ min: 1, max: 100 }),
  }),
  failure: fc.record({ kind: fc.constant("failure" as const), index: fc.nat(9) }),
  void: fc.record({ kind: fc.constant("void" as const), index: fc.nat(9) }),
  change: fc.record({
    kind: fc.constant("change" as const),
    plan: fc.nat(1),
    effective: fc.constantFrom("now" as const, "period_end" as const),
  }),
  end: fc.record({ kind: fc.constant("end" as const) }),
  tax: fc.record({ kind: fc.constant("tax" as const), region: fc.constantFrom("DE" as const, "FR" as const) }),
  credit: fc.record({
    kind: fc.constant("credit" as const),
    credit: fc.constantFrom("prepaid" as const, "promotional" as const),
    amount: fc.integer({ min: 1, max: 6_000 }),
    priority: fc.integer({ min: 1, max: 2 }),
  }),
};

const stepOf = (weights: Readonly<Record<keyof typeof ofKind, number>>): fc.Arbitrary<Step> =>
  fc.oneof(
    ...(Object.keys(ofKind) as (keyof typeof ofKind)[]).map((kind) => ({
      weight: weights[kind],
      arbitrary: ofKind[kind] as fc.Arbitrary<Step>,
    })),
  );

const step = stepOf({ usage: 5, charge: 3, refund: 2, failure: 1, void: 2, change: 2, end: 0, tax: 1, credit: 1 });
/** Many refunds, voids and plan changes, so that corrections follow each other and periods are divided. */
const correction = stepOf({
  usage: 4,
  charge: 3,
  refund: 5,
  failure: 4,
  void: 6,
  change: 5,
  end: 0,
  tax: 1,
  credit: 0,
});
/**
 * A few charges with refunds that fail and are repeated, while their invoices become void and the subscription ends.
 */
const reversal = stepOf({ usage: 1, charge: 0, refund: 6, failure: 6, void: 8, change: 2, end: 1, tax: 1, credit: 0 });

const minutesOfDay = 24 * 60;

type Length = { minLength: number; maxLength: number };

const stepsOf = (one: fc.Arbitrary<Step>, length: Length, days = 100) =>
  fc.array(
    fc.tuple(one, fc.integer({ min: 1, max: days * minutesOfDay })).map(([taken, minutes]) => ({ ...taken, minutes })),
    length,
  );

const reversals = fc
  .tuple(
    stepsOf(ofKind.charge, { minLength: 1, maxLength: 3 }, 30),
    stepsOf(reversal, { minLength: 8, maxLength: 20 }, 160),
  )
  .map(([charges, others]) => [...charges, ...others]);

export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    start: fc
      .integer({ min: 0, max: 364 * minutesOfDay })
      .map((minutes) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000)),
    interval: fc.constantFrom("month" as const, "month" as const, "quarter" as const),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"),
    currency: fc.constantFrom(...currencies),
    region: fc.constantFrom(...taxRegions),
    plans: fc.tuple(plan, plan),
    steps: fc.oneof(
      stepsOf(step, { minLength: 4, maxLength: 24 }),
      stepsOf(correction, { minLength: 24, maxLength: 40 }),
      reversals,
    ),
  })
  .map((given) => ({
    ...given,
    other: "USD",
    steps: given.steps.toSorted((one, another) => one.minutes - another.minutes),
  }));

const toBound = (upTo: bigint | null) => (upTo === null ? {} : { up_to: Number(upTo) });

/** The price in the format of the catalogue file. */
const toDefinition = (price: Price): object => {
  const free = "freeUnits" in price ? { free_units: Number(price.freeUnits) } : {};
  const { model } = price;
  switch (model) {
    case "per_unit":
      return { model, unit: formatExact(price.unit), ...free };
    case "package":
      return { model, size: Number(price.size), amount: Number(price.amount), ...free };
    case "basis_points": {
      const [min, max] = [price.min, price.max].map((bound) => (bound === null ? undefined : formatExact(bound)));
      return { model, rate: formatExact(price.rate), min, max };
    }
    case "graduated":
    case "volume": {
      const tiers = price.tiers.map(({ upTo, unit, flat }) => ({
        ...toBound(upTo),
        unit: formatExact(unit),
        flat: Number(flat),
      }));
      return { model, tiers, flat_at_zero: price.flatAtZero, ...free };
    }
    case "graduated_package": {
      const tiers = price.tiers.map(({ upTo, size, amount }) => ({
        ...toBound(upTo),
        size: Number(size),
        amount: Number(amount),
      }));
      return { model, tiers, ...free };
    }
    case "graduated_basis_points": {
      const tiers = price.tiers.map(({ upTo, rate, flat }) => ({
        ...toBound(upTo),
        rate: formatExact(rate),
        flat: Number(flat),
      }));
      return { model, tiers, flat_at_zero: price.flatAtZero };
    }
  }
};

/** The catalogue of a scenario, with these plan ids. It is JSON, which is valid YAML. */
export const catalogueOf = ({ start, interval, currency, other, plans }: Scenario, ids: readonly string[]): string => {
  const definitions = plans.map(({ flat, minimum, maximum, prices, otherFee }, index) => {
    const all = [...prices].map(([meter, price]) => [meter, toDefinition(price)]);
    const limits = { minimum: Number(minimum), ...(maximum === null ? {} : { maximum: Number(maximum) }) };
    const main = { flat: Number(flat), ...limits, prices: Object.fromEntries(all) };
    const others = { prices: { successful_charges: toDefinition(otherFee) } };
    const definition = {
      name: "Model",
      effective_from: start.toISOString().slice(0, 10),
      interval,
      currencies: { [currency]: main, [other]: others },
    };
    return [ids[index], definition];
  });
  const tax_rates = {
    DE: { category: "S", rate: "19", behaviour: "exclusive" },
    FR: { category: "S", rate: "20", behaviour: "inclusive" },
  };
  return JSON.stringify({ catalogue: 1, plans: Object.fromEntries(definitions), tax_rates });
};
