import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { exportActivity } from "./activity-csv.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

it("exports every row once, in parts of 500 that are read on demand", async () => {
  const { charge, payer } = await makeChargeableMandate(deps);
  const { chargeId } = await charge({ amount: 100 });
  await deps.db.prisma.$executeRaw`
    INSERT INTO charge SELECT (jsonb_populate_record(c, jsonb_build_object(
      'id', c.id || '_' || n, 'created_at', c.created_at - (n % 7) * interval '1 minute'))).*
      FROM charge c, generate_series(1, 1100) n WHERE c.id = ${chargeId}`;
  const parts = exportActivity(deps, { payerId: payer.id, locale: "de-DE" });
  expect((await parts.next()).value).toMatch(/^\ufeffZahlungs-ID,/);
  const rows: string[][] = [];
  for await (const part of parts) rows.push(part.trimEnd().split("\r\n"));
  expect(rows.map(({ length }) => length)).toEqual([500, 500, 101]);
  expect(new Set(rows.flat().map((row) => row.split(",")[0])).size).toBe(1_101);
});
