import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { lockDraftsOf, lockInvoicingOf } from "../../data/billing/invoices/write-invoice.ts";
import { findTaxDetails } from "../../data/billing/tax-details/tax-details.ts";
import { lockMerchant } from "../../data/merchants/merchants.ts";
import { applyPlans, bill, makeSubscriber, moveTo, testPlans } from "../subscriptions/subscription.fixture.ts";
import { setTaxDetails } from "./set-tax-details.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  for (const key of ["DE", "AT_REDUCED"]) {
    await deps.db.prisma.$executeRaw`
      INSERT INTO billing_tax_rate_version (key, version, hash, definition, applied_at)
      VALUES (${key}, 1, 'h', '{"category":"S","rate":"19","behaviour":"exclusive"}', now())`;
  }
});
afterAll(() => deps.close());

const details = {
  legalName: " Fresh Market GmbH ",
  line1: "Main 1",
  line2: "",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatNumber: "de 123 456 789",
};
const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
const set = (merchantId: string, change: Partial<Parameters<typeof setTaxDetails>[1]> = {}) =>
  setTaxDetails(deps, { merchantId, ...details, ...by, ...change });

describe("tax details (docs/spec/billing.md, Tax details)", () => {
  test("each change creates a version; equal details and concurrent repetitions create no version", async () => {
    const { id } = await makeMerchant(deps);
    const results = await Promise.all(Array.from({ length: 5 }, () => set(id)));
    expect(results).toEqual(Array(5).fill({ version: 1, taxRegion: "DE" }));
    expect(await findTaxDetails(deps.db.sql, id)).toMatchObject({
      version: 1,
      legalName: "Fresh Market GmbH",
      line2: null,
      vatNumber: "DE123456789",
      taxRegion: "DE",
    });
    expect(await set(id, { city: "Bonn" })).toEqual({ version: 2, taxRegion: "DE" });
    const audit = await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE subject_id = ${id} AND action = 'merchant.tax_details_changed' ORDER BY seq`;
    expect(audit).toEqual([1, 2].map((version) => ({ data: { version, country: "DE", tax_region: "DE" } })));
  });

  test("the tax region is that of the country, or unknown; a region that an operator set is kept until the country changes", async () => {
    const { id } = await makeMerchant(deps);
    const austrian = { country: "AT", vatNumber: null };
    expect(await set(id, austrian)).toMatchObject({ taxRegion: null });
    expect(await set(id, { ...austrian, taxRegion: "AT_REDUCED" })).toMatchObject({ taxRegion: "AT_REDUCED" });
    expect(await set(id, { ...austrian, city: "Wien" })).toMatchObject({ taxRegion: "AT_REDUCED" });
    expect(await set(id)).toMatchObject({ taxRegion: "DE" });
  });

  test.each([
    ["legalName", { legalName: " " }],
    ["line1", { line1: "x".repeat(201) }],
    ["city", { city: "" }],
    ["country", { country: "XX" }],
    ["vatNumber", { vatNumber: "DE12" }],
    ["taxRegion", { taxRegion: "nowhere" }],
  ])("refuses an invalid %s", async (name, change) => {
    const { id } = await makeMerchant(deps);
    expect(await refusalOf(set(id, change))).toMatchObject({ kind: "invalid", pointers: [`/${name}`] });
    expect(await findTaxDetails(deps.db.sql, id)).toBeNull();
  });

  test("refuses an unknown merchant", async () => {
    expect(await refusalOf(set("mch_none"))).toMatchObject({ kind: "not_found" });
  });
});

describe("a change of the tax details while an invoice is finalized (docs/spec/billing.md, Tax details)", () => {
  test("waits for the invoice, so that the invoice has the tax of its buyer", async () => {
    deps.clock.set(new Date("2026-10-01T10:00:00Z"));
    await applyPlans(deps, testPlans("2026-10-01"));
    const merchantId = await makeSubscriber(deps, "scale");
    deps.clock.set(new Date("2026-11-01T10:00:00Z"));
    await bill(deps);
    deps.clock.set(new Date("2026-11-02T10:00:00Z"));
    const [subscription] = await deps.db.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM billing_subscription WHERE merchant_id = ${merchantId}`;
    let billed: Promise<unknown> = Promise.resolve();
    let moved: Promise<unknown> = Promise.resolve();
    await deps.db.sqlTransaction(async (sql) => {
      await lockDraftsOf(sql, subscription?.id ?? "");
      billed = bill(deps);
      // The billing run has read the tax, and waits to store its draft.
      await expect.poll(waitingForDrafts).toBe(1);
      moved = moveTo(deps, merchantId, "DE");
      await Promise.race([moved, sleep(500)]);
    });
    await Promise.all([billed, moved]);
    const documents = await deps.db.prisma.$queryRaw<{ status: string; country: string | null; category: string }[]>`
      SELECT status, snapshot->'buyer'->>'country' AS country, taxes->0->>'category' AS category
        FROM billing_invoice WHERE merchant_id = ${merchantId}`;
    expect(documents).toEqual([{ status: "open", country: null, category: "O" }]);
    expect(await findTaxDetails(deps.db.sql, merchantId)).toMatchObject({ country: "DE" });
  });
});

test("like collection, a change of the tax details locks the merchant first and then its invoicing, so that the two can't deadlock", async () => {
  const { id } = await makeMerchant(deps);
  let changed: Promise<unknown> = Promise.resolve();
  await deps.db.sqlTransaction(async (sql) => {
    await lockMerchant(sql, id);
    changed = set(id);
    await sleep(300);
    await lockInvoicingOf(sql, id);
  });
  expect(await changed).toMatchObject({ version: 1 });
});

const waitingForDrafts = async (): Promise<number> => {
  const [row] = await deps.db.prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%billing_drafts%'`;
  return row?.count ?? 0;
};
