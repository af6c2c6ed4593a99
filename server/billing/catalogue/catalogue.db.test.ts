import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { insertSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import { newId } from "../../kernel/ids.ts";
import { parseExact } from "../rules/exact/exact.ts";
import { applyCatalogue } from "./apply-catalogue.ts";
import { exportCatalogue } from "./export-catalogue.ts";
import { findCoupon } from "./find-coupon.ts";
import { findTaxRate } from "./find-tax-rate.ts";
import { getPlanVersion } from "./get-plan-version.ts";
import { listPublicPlans } from "./list-public-plans.ts";

const example = readFileSync(path.resolve(import.meta.dirname, "../../../docs/examples/plans.yaml"), "utf8");

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date("2026-12-31T23:00:00Z") });
});
afterEach(() => deps.close());

const apply = (text: string, { on = deps, isDryRun = false } = {}) =>
  applyCatalogue(on, { text, isDryRun, actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" });
const outcomeOf = async (text: string): Promise<string> => (await apply(text)).outcome;

type Change = { flat?: number; from?: string; flags?: string };
const pro = ({ flat = 4900, from = "2027-01-01", flags = "" }: Change = {}): string =>
  `catalogue: 1\nplans:\n  pro: {name: Pro, effective_from: ${from}, interval: month, currencies: {EUR: {flat: ${flat}}}${flags}}\n`;
const plan = (version: number | null = null) =>
  getPlanVersion(deps.db.sql, { planId: "pro", version, at: deps.clock.now() });
const countRows = async (table: string): Promise<number> => {
  const [row] = await deps.db.prisma.$queryRawUnsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`);
  return row?.n ?? -1;
};
const auditData = () => deps.db.prisma.$queryRaw<{ data: object }[]>`
  SELECT data FROM audit_entry WHERE action = 'catalogue.applied' AND subject_id = 'catalogue' ORDER BY seq`;
const page = { limit: 20, startingAfter: null, endingBefore: null };

describe("applying a catalogue (docs/spec/billing.md, Catalogue)", () => {
  test("applies the example in one transaction, and records the hash of the file and the differences", async () => {
    const applied = await apply(example);
    expect(applied).toMatchObject({ outcome: "changed", changes: { length: 7 } });
    const fileHash = createHash("sha256").update(example).digest("hex");
    const [audit, ...others] = await auditData();
    expect(others).toEqual([]);
    expect(audit?.data).toMatchObject({ file_sha256: fileHash, changes: { length: 7 } });
    expect(audit?.data).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({
          kind: "plan",
          id: "pro",
          from: null,
          version: 1,
          differences: expect.arrayContaining([{ path: "currencies.EUR.flat", to: 4900 }]),
        }),
      ]),
    });
    expect(await outcomeOf(example)).toBe("unchanged");
    expect(await auditData()).toHaveLength(1);
  });

  test("applying an exported catalogue changes nothing, and restores the catalogue in an empty database", async () => {
    await apply(example);
    await apply(pro({ flags: ", retired: true, migrate: next_period" }));
    const exported = await exportCatalogue(deps);
    expect(exported).toContain("retired: true");
    expect(await outcomeOf(exported)).toBe("unchanged");
    const empty = await createTestDeps({ now: deps.clock.now() });
    try {
      expect(await apply(exported, { on: empty })).toMatchObject({ outcome: "changed" });
      expect(await exportCatalogue(empty)).toBe(exported);
    } finally {
      await empty.close();
    }
  });

  test("keeps the order of currencies and meters", async () => {
    await apply(example);
    deps.clock.advance(3600);
    const { terms } = await plan();
    expect([...terms.currencies.keys()]).toEqual(["EUR", "USD"]);
    expect([...(terms.currencies.get("EUR")?.prices.keys() ?? [])]).toEqual([
      "tokens_issued",
      "successful_charges",
      "own:sms_sent",
    ]);
  });

  test("a refused file changes nothing, and every problem has its position", async () => {
    await apply(pro());
    deps.clock.advance(2 * 24 * 3600);
    const text = `${pro({ flat: 5900 })}  basic: {name: Basic, effective_from: 2027-02-01, interval: month, currencies: {EUR: {flat: 1}}}
coupons:
  A: {percent: "20", plans: [nothing]}
  B: {percent: 20}
`;
    expect(await apply(text)).toEqual({
      outcome: "refused",
      problems: [
        { line: 3, column: 36, pointer: "/plans/pro/effective_from", message: expect.stringContaining("in the past") },
        { line: 6, column: 30, pointer: "/coupons/A/plans/0", message: 'plan "nothing" doesn’t exist' },
        { line: 7, column: 16, pointer: "/coupons/B/percent", message: expect.stringContaining("in quotes") },
      ],
    });
    expect(await countRows("billing_plan_version")).toBe(1);
    expect(await countRows("billing_coupon_version")).toBe(0);
    expect(await auditData()).toHaveLength(1);
  });

  test("a dry run reports the same changes and writes nothing", async () => {
    const dry = await apply(example, { isDryRun: true });
    expect(await countRows("billing_plan_version")).toBe(0);
    expect(await auditData()).toEqual([]);
    expect(await apply(example)).toEqual(dry);
  });

  test("a changed plan becomes a new version, and the earlier version is kept", async () => {
    await apply(pro());
    expect(await outcomeOf(pro({ flat: 5900, from: "2027-02-01" }))).toBe("changed");
    expect(await outcomeOf(pro({ flat: 5900, from: "2027-02-01" }))).toBe("unchanged");
    const flats = await Promise.all(
      [1, 2].map(async (version) => (await plan(version)).terms.currencies.get("EUR")?.flat),
    );
    expect(flats).toEqual([4900n, 5900n]);
  });

  test("each concurrent change becomes one version, and an equal file adds no version", async () => {
    const node = await anotherNode(deps);
    try {
      const texts = Array.from({ length: 8 }, (_, index) => pro({ flat: 1000 + (index % 4) }));
      const applied = await Promise.all(texts.map((text, index) => apply(text, { on: index % 2 ? node : deps })));
      const changed = applied.filter(({ outcome }) => outcome === "changed").length;
      const versions = await deps.db.prisma.billingPlanVersion.findMany({ orderBy: { version: "asc" } });
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: changed }, (_, index) => index + 1));
      for (const [index, { hash }] of versions.entries()) expect(hash).not.toBe(versions[index + 1]?.hash);
      expect(await auditData()).toHaveLength(changed);
    } finally {
      await node.close();
    }
  });

  test("the database refuses edits, deletes and truncation of versions", async () => {
    await apply(example);
    for (const table of ["billing_plan_version", "billing_coupon_version", "billing_tax_rate_version"]) {
      for (const statement of [`UPDATE ${table} SET hash = ''`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`]) {
        await expect(deps.db.prisma.$executeRawUnsafe(statement)).rejects.toThrow("append-only");
      }
    }
  });
});

describe("a changed plan with subscriptions (docs/spec/billing.md, Catalogue)", () => {
  const both = "currencies: {EUR: {flat: 4900}, USD: {flat: 5400}}";
  const withCurrencies = (currencies: string) =>
    `catalogue: 1\nplans:\n  pro: {name: Pro, effective_from: 2027-01-01, interval: month, ${currencies}}\n`;
  const subscribe = async (currency: string) => {
    const { id: merchantId } = await makeMerchant(deps);
    const plan = { id: "pro", version: 1 };
    const subscription = { id: newId("bsub"), merchantId, plan, currency, anchorDate: "2027-01-01" };
    const terms = { status: "active", interval: "month", timeZone: "UTC", trialEndsAt: null } as const;
    const createdAt = deps.clock.now();
    await insertSubscription(deps.db.sql, { ...subscription, ...terms, createdAt, slaDueAt: createdAt });
    return subscription.id;
  };

  test("its subscriptions are reported, and those of other plans aren't", async () => {
    await apply(example);
    await apply(withCurrencies(both));
    const subscriptionId = await subscribe("EUR");
    const changed = await apply(withCurrencies(both).replace("4900", "5900"), { isDryRun: true });
    expect(changed).toMatchObject({
      subscribers: [{ subscriptionId, planId: "pro", planVersion: 1, currency: "EUR" }],
    });
    expect(await apply('catalogue: 1\ncoupons: {A: {percent: "5"}}', { isDryRun: true })).toMatchObject({
      subscribers: [],
    });
  });

  test("a changed plan must keep the currencies that its subscriptions use, and may drop others", async () => {
    await apply(withCurrencies(both));
    await subscribe("USD");
    await subscribe("USD");
    expect(await apply(withCurrencies("currencies: {EUR: {flat: 4900}}"))).toEqual({
      outcome: "refused",
      problems: [
        {
          line: 3,
          column: 77,
          pointer: "/plans/pro/currencies",
          message: "must include USD: 2 subscriptions use it",
        },
      ],
    });
    expect(await outcomeOf(withCurrencies("currencies: {USD: {flat: 5400}}"))).toBe("changed");
  });

  test("a currency that an earlier change dropped is still required while subscriptions use it", async () => {
    const onlyEuro = (flat: number, flags = "") => withCurrencies(`currencies: {EUR: {flat: ${flat}}}${flags}`);
    await apply(withCurrencies(both));
    await apply(onlyEuro(4900).replace("2027-01-01", "2027-02-01"));
    await subscribe("USD");
    const refused = { outcome: "refused", problems: [{ message: "must include USD: 1 subscription uses it" }] };
    expect(await apply(onlyEuro(5900))).toMatchObject(refused);
    const migrating = onlyEuro(4900, ", migrate: next_period").replace("2027-01-01", "2027-02-01");
    expect(await apply(migrating)).toMatchObject(refused);
    const retired = onlyEuro(4900, ", retired: true").replace("2027-01-01", "2027-02-01");
    expect(await outcomeOf(retired)).toBe("changed");
  });
});

describe("reading the catalogue (docs/spec/billing.md, Catalogue)", () => {
  test("without a version, the newest version in effect on the business day applies", async () => {
    await apply(pro());
    await apply(pro({ flat: 5900, from: "2027-02-01" }));
    expect(await refusalOf(plan())).toMatchObject({ code: "plan_not_found" });
    deps.clock.set(new Date("2027-01-01T00:00:00Z"));
    expect(await plan()).toMatchObject({ version: 1, effectiveFrom: "2027-01-01", name: "Pro" });
    expect(await plan(2)).toMatchObject({ version: 2, effectiveFrom: "2027-02-01" });
    deps.clock.set(new Date("2027-01-31T23:59:59Z"));
    expect(await plan()).toMatchObject({ version: 1 });
    deps.clock.set(new Date("2027-02-01T00:00:00Z"));
    expect(await plan()).toMatchObject({ version: 2 });
    expect(await refusalOf(plan(3))).toMatchObject({ code: "plan_not_found" });
  });

  test("the public list is paginated, and contains the plans in effect that aren't hidden or retired", async () => {
    await apply(example);
    const ids = async (change: object = {}) => {
      const { plans, hasMore } = await listPublicPlans(deps, { ...page, currency: null, ...change });
      return { ids: plans.map(({ id }) => id), hasMore };
    };
    expect(await ids()).toEqual({ ids: [], hasMore: false });
    deps.clock.advance(3600);
    expect(await ids()).toEqual({ ids: ["pro", "starter"], hasMore: false });
    expect(await ids({ currency: "USD" })).toEqual({ ids: ["pro"], hasMore: false });
    expect(await ids({ currency: "JPY" })).toEqual({ ids: [], hasMore: false });
    expect(await ids({ limit: 1 })).toEqual({ ids: ["pro"], hasMore: true });
    expect(await ids({ limit: 1, startingAfter: "pro" })).toEqual({ ids: ["starter"], hasMore: false });
    expect(await ids({ limit: 1, endingBefore: "starter" })).toEqual({ ids: ["pro"], hasMore: false });
    for (const startingAfter of ["enterprise", "nothing"]) {
      expect(await refusalOf(ids({ startingAfter }))).toMatchObject({ pointers: ["#starting_after"] });
    }
    expect(await refusalOf(ids({ currency: "USD", endingBefore: "starter" }))).toMatchObject({
      pointers: ["#ending_before"],
    });
    await apply(pro({ from: "2027-01-01", flags: ", retired: true" }));
    expect(await ids()).toEqual({ ids: ["starter"], hasMore: false });
  });

  test("the newest version of a coupon and of a tax rate applies", async () => {
    await apply(example);
    const section = (percent: string, rate: string) =>
      `catalogue: 1\ncoupons:\n  LAUNCH: {percent: "${percent}"}\ntax_rates:\n  DE: {category: S, rate: "${rate}", behaviour: inclusive}\n`;
    await apply(section("25", "16"));
    expect(await findCoupon(deps.db.sql, { code: "LAUNCH" })).toEqual({
      code: "LAUNCH",
      version: 2,
      percent: parseExact("25"),
      amount: null,
      plans: null,
      meters: null,
      durationMonths: null,
    });
    expect(await findCoupon(deps.db.sql, { code: "LAUNCH", version: 1 })).toMatchObject({ plans: ["pro"] });
    const rate = { key: "DE", version: 2, category: "S", rate: parseExact("16"), behaviour: "inclusive" };
    expect(await findTaxRate(deps.db.sql, "DE")).toEqual(rate);
    expect(await findCoupon(deps.db.sql, { code: "NOTHING" })).toBeNull();
    expect(await findTaxRate(deps.db.sql, "FR")).toBeNull();
  });
});
