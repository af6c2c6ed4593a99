import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { exportPayments } from "./export-payments.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

test("exports every row of the merchant once, in parts of 500, with the filters and without formulas", async () => {
  const { charge, merchant, mandateId } = await makeChargeableMandate(deps);
  const { chargeId } = await charge({ amount: 100, reference: "=HYPERLINK(1)" });
  await makeChargeableMandate(deps).then((other) => other.charge({ amount: 100 }));
  await deps.db.prisma.$executeRaw`
    INSERT INTO charge SELECT (jsonb_populate_record(c, jsonb_build_object(
      'id', c.id || '_' || n, 'created_at', c.created_at - (n % 7) * interval '1 minute', 'reference', 'Order 77'))).*
      FROM charge c, generate_series(1, 1100) n WHERE c.id = ${chargeId}`;
  const read = async (filters: Partial<Parameters<typeof exportPayments>[1]>) => {
    const parts = exportPayments(deps, { merchantId: merchant.id, ...filters });
    expect((await parts.next()).value).toMatch(/^\ufeffPayment ID,Created \(UTC\),Status,/);
    const rows: string[][] = [];
    for await (const part of parts) rows.push(part.trimEnd().split("\r\n"));
    return rows;
  };
  const rows = await read({});
  expect(rows.map(({ length }) => length)).toEqual([500, 500, 101]);
  const cells = rows.flat().map((row) => row.split(","));
  expect(new Set(cells.map(([id]) => id)).size).toBe(1_101);
  const [, createdAt, ...figures] = cells.find(([id]) => id === chargeId) ?? [];
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(figures.slice(0, 6)).toEqual(["succeeded", "EUR", "1.00", "1.00", "0.00", "'=HYPERLINK(1)"]);
  expect((await read({ search: "=HYPERLINK(1)" })).flat()).toHaveLength(1);
  expect((await read({ states: ["declined"] })).flat()).toEqual([]);
  expect((await read({ mandateId })).map(({ length }) => length)).toEqual([500, 500, 101]);
  expect((await read({ mandateId: "mdt_other" })).flat()).toEqual([]);
  const yearZero = new Date("0000-01-01T00:00:00Z");
  expect((await read({ since: yearZero })).flat()).toHaveLength(1_101);
  expect((await read({ until: yearZero })).flat()).toEqual([]);
});
