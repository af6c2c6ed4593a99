import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestRefund } from "../charge/answers.fixture.ts";
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

it("contains each refund in a separate row, with the id and reference of its payment, and its kind in the last column", async () => {
  const { charge, payer, merchant, merchantClient } = await makeChargeableMandate(deps);
  const { chargeId } = await charge({ amount: 1_250, reference: "Order 77" });
  const by = { merchantId: merchant.id, clientId: merchantClient.id, requestId: "req_test" };
  await requestRefund(deps, { ...by, chargeId, idempotencyKey: "refund", request: { amount: 250 } });
  const parts: string[] = [];
  for await (const part of exportActivity(deps, { payerId: payer.id, locale: "en-GB" })) parts.push(part);
  const cells = parts
    .join("")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  expect(cells.map(([id, , , , , ...rest]) => [id, ...rest])).toEqual([
    ["\ufeffPayment ID", "Reference", "Status", "Currency", "Amount", "Paid", "Refunded", "Kind"],
    [chargeId, "Order 77", "Refunded", "EUR", "2.50", "", "", "Refund"],
    [chargeId, "Order 77", "Partially refunded", "EUR", "12.50", "12.50", "2.50", "Payment"],
  ]);
});
