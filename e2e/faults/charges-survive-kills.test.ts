import { afterAll, beforeAll, expect, test } from "vitest";
import {
  describeInstance,
  startTestInstance,
  type TestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";
import { connectDatabase, type Db, statement } from "#server/data/client.ts";
import { findViolations } from "#server/data/invariants.ts";
import { databaseUrlOf } from "../support/instance.ts";
import { makeStanding, type Standing } from "../support/mandate-flow.ts";
import { listPayments, movedAmount } from "../support/simulator-ledger.ts";
import { waitUntil } from "../support/wait-until.ts";
import { attempt, type Order, runShops } from "./charge-driver.ts";
import { killAtRandom } from "./killer.ts";

/** The short form runs with the other tests; FAULT_SECONDS=600 FAULT_SHOPS=50 is a long one. */
const seconds = Number(process.env["FAULT_SECONDS"] ?? 20);
const shops = Number(process.env["FAULT_SHOPS"] ?? 12);
const longestPause = 2_000;
/** A reservation never sent is voided after 60 s; a payment that never arrived is looked for twice, 60 s apart. */
const settleSeconds = 180;

const caps = [
  { max_amount_per_payment: 900, max_total_amount: 99_000_000 },
  { max_amount_per_payment: 900, max_total_amount: 20_000 },
  { max_amount_per_payment: 900, max_payments: 60 },
  {
    max_amount_per_payment: 900,
    periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 30_000, max_payments: 200 }],
  },
];

let instance: TestInstance;
let db: Db;
beforeAll(async () => {
  instance = await startTestInstance(await testEnvironment({ WEB_CONCURRENCY: "2", LOG_LEVEL: "warn" }));
  Object.assign(process.env, await describeInstance(instance));
  db = connectDatabase(databaseUrlOf("sandbox"), 2);
});
afterAll(async () => {
  await db?.close();
  await instance?.stop();
  await instance?.remove();
});

const countOpen = statement<{ open: bigint }>(
  "count_open_charges",
  "SELECT count(*) AS open FROM charge WHERE state IN ('reserved', 'submitted', 'processing', 'unknown')",
);
const isSettled = async (): Promise<boolean> => (await db.sql.query(countOpen, []).catch(() => []))[0]?.open === 0n;

type Row = { id: string; key: string | null; state: string; amount: bigint };
const listCharges = statement<Row>(
  "list_charges_with_keys",
  `SELECT c.id, k.key, c.state::text AS state, c.amount FROM charge c
   LEFT JOIN idempotency_key k ON k.merchant_id = c.merchant_id AND k.charge_id = c.id WHERE c.merchant_id = $1`,
);

/** Ours against the processor's, charge by charge. @returns the amount that moved. */
const compareLedgers = async (standing: Standing): Promise<number> => {
  const { merchantId } = standing.merchant;
  const [rows, payments] = [await db.sql.query(listCharges, [merchantId]), await listPayments("sandbox", merchantId)];
  const byCharge = new Map(payments.map((payment) => [payment.charge_id, payment]));
  expect(byCharge.size, "payments per charge").toBe(payments.length);
  expect(
    [...byCharge.keys()].filter((id) => !rows.some((row) => row.id === id)),
    "payments of no charge",
  ).toEqual([]);
  const known = rows.filter(({ id }) => byCharge.has(id));
  for (const row of known) {
    expect(byCharge.get(row.id)).toMatchObject({ status: row.state, amount: Number(row.amount) });
  }
  const unknown = rows.filter(({ id }) => !byCharge.has(id)).map(({ state }) => state);
  expect(
    unknown.filter((state) => state !== "voided" && state !== "declined"),
    "charges that never arrived",
  ).toEqual([]);
  return movedAmount(payments);
};

/** What a shop was told holds: the same key gives the same bytes, and the charge it names is the one that moved. */
const checkAcknowledged = async (order: Order): Promise<void> => {
  const { answer } = order;
  if (answer?.status !== 201 && answer?.status !== 402) return;
  const again = await attempt(order);
  expect({ key: order.key, status: again?.status, text: again?.text }).toEqual({
    key: order.key,
    status: answer.status,
    text: answer.text,
  });
};

test(`killing web, worker, simulator and PostgreSQL for ${seconds} s: no double charge, none lost, no leaked hold, no cap exceeded`, {
  timeout: (seconds + settleSeconds + 120) * 1000,
}, async () => {
  const { SANDBOX_PORT } = instance.environment;
  const baseUrl = `http://localhost:${SANDBOX_PORT}`;
  const standings: Standing[] = [];
  for (const limits of caps) standings.push(await makeStanding(baseUrl, { max_total_amount: 99_000_000, ...limits }));

  const until = Date.now() + seconds * 1000;
  const [orders, kills] = await Promise.all([
    runShops(standings, shops, until),
    killAtRandom(instance.dataDirectory, until, longestPause),
  ]);
  await waitUntil(isSettled, settleSeconds);

  const acknowledged = orders.filter(({ answer }) => answer?.status === 201);
  console.log({ kills, orders: orders.length, acknowledged: acknowledged.length });
  expect(Object.values(kills).every((count) => count > 0)).toBe(true);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(await findViolations(db.sql)).toEqual([]);

  const moved: number[] = [];
  for (const standing of standings) moved.push(await compareLedgers(standing));
  expect(moved[1]).toBeLessThanOrEqual(20_000);
  expect(moved[3]).toBeLessThanOrEqual(30_000);
  const succeeded = await Promise.all(
    standings.map(({ merchant }) => db.sql.query(listCharges, [merchant.merchantId])),
  );
  expect(succeeded[2]?.filter(({ state }) => state === "succeeded").length).toBeLessThanOrEqual(60);

  const made = new Map(succeeded.flat().map((row) => [row.id, row]));
  for (const { key, answer } of acknowledged) {
    expect(made.get(String(answer?.json?.["id"])), "an acknowledged charge").toMatchObject({ key, state: "succeeded" });
  }
  for (const order of orders) await checkAcknowledged(order);
});
