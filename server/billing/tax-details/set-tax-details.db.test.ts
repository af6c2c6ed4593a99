import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { findTaxDetails } from "../../data/billing/tax-details/tax-details.ts";
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
  test("each change is a new version; equal details and concurrent repetitions create none", async () => {
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
