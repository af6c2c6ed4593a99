import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { connectDatabase, type Db } from "#server/data/client.ts";
import { findViolations } from "#server/data/invariants/invariants.ts";
import { systemClock } from "#server/kernel/time/clock.ts";
import { createRandom } from "../malformed/random.ts";
import { databaseUrlOf } from "../support/instance.ts";
import { type Merchant, registerMerchant } from "../support/oauth/parties.ts";
import { ownService } from "../support/own-service.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/peers/webhook-receiver.ts";
import { createBanks } from "./banks.ts";
import { compareBooks } from "./books.ts";
import { answerWaiting, askAllAgain, newRun, runClients } from "./charge-driver.ts";
import { compareDeliveries, misbehave } from "./hooks.ts";
import { killAtRandom, noKills } from "./killer.ts";
import { createMandatePool } from "./mandate-pool.ts";
import { planFaults } from "./saboteur.ts";
import { awaitSettled } from "./settle.ts";
import { installWitness, replayBudget } from "./witness.ts";

/**
 * The short form runs with the other tests. A long run: FAULT_SECONDS=900 FAULT_CLIENTS=50 FAULT_KILLS=200
 * FAULT_CHARGES=20000. It ends as soon as it has counted that many kills and charges.
 */
const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seconds = number("FAULT_SECONDS", 12);
const clients = number("FAULT_CLIENTS", 16);
const seed = number("FAULT_SEED", Date.now() % 1_000_000);
const wanted = { kills: number("FAULT_KILLS", Number.POSITIVE_INFINITY), charges: number("FAULT_CHARGES", 0) };
const longestPause = number("FAULT_PAUSE", 1_500);
/** The long form waits in real time. The short form simulates that time passes. */
const isLong = seconds > 60;
/**
 * An upper bound. A busy machine needs minutes to send the remaining requests, and pending charges expire after a
 * quarter of an hour.
 */
const settleSeconds = isLong ? 1_000 : 150;
const merchantCount = 4;

const service = ownService({ WEB_CONCURRENCY: "2", LOG_LEVEL: "warn", OUTBOUND_LOOPBACK: "1" });
let receiver: WebhookReceiver;
let db: Db;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  Object.assign(process.env, service.variables);
  db = connectDatabase(databaseUrlOf("sandbox"), 2);
});
afterAll(async () => {
  await db?.close();
  receiver?.close();
});

const title =
  "while web, worker, simulator and PostgreSQL are killed under load, each acknowledged charge exists once here and " +
  "once at the processor, no cap is ever exceeded, and each event arrives only at its client";

test(`${title} (${seconds} s, ${clients} clients, seed ${seed})`, {
  timeout: (seconds + 2 * settleSeconds + 180) * 1000,
}, async () => {
  const { sandboxUrl: baseUrl, instance } = service;
  await installWitness(db);
  const merchants: Merchant[] = [];
  for (let count = 0; count < merchantCount; count++) merchants.push(await registerMerchant(baseUrl));
  const run = newRun();
  const kills = noKills();
  const killed = () => Object.values(kills).reduce((all, one) => all + one, 0);
  let until = Number.POSITIVE_INFINITY;
  const isEachKilled = () => Object.values(kills).every((times) => times > 0);
  const isTimeOver = () => Date.now() >= until && (isEachKilled() || Date.now() >= until + 60_000);
  const isOver = () => isTimeOver() || (killed() >= wanted.kills && run.acknowledged >= wanted.charges);
  const pool = await createMandatePool(baseUrl, {
    merchants,
    hookUrl: receiver.url,
    isOver,
    complaints: run.complaints,
  });
  const banks = createBanks(db, merchants);
  misbehave(receiver, seed);

  until = Date.now() + seconds * 1000;
  await Promise.all([
    runClients(pool, run, { clients, seed, isOver }),
    planFaults(createRandom(seed, clients + 1), merchants, isOver),
    banks.disputeNowAndThen(createRandom(seed, clients + 3), run.orders, isOver),
    killAtRandom(instance.dataDirectory, { kills, longestPause, isOver }),
  ]);
  const startedAt = Date.now();
  const secondsSince = () => Math.round((Date.now() - startedAt) / 1000);
  const settling = { seconds: settleSeconds, isHastened: !isLong };
  await awaitSettled(db, { ...settling, listPending: banks.listUnreported });
  const settledAfter = [secondsSince()];
  await askAllAgain(run);
  settledAfter.push(secondsSince());
  const random = createRandom(seed, clients + 4);
  const listPending = async () => [...(await answerWaiting(run, random)), ...(await banks.listUnreported())];
  await awaitSettled(db, { ...settling, listPending });
  settledAfter.push(secondsSince());

  const books = await compareBooks(db, merchants, run.orders);
  const disputes = await banks.compare();
  const deliveries = await compareDeliveries(db, pool, receiver);
  const budgets = [];
  for (const mandate of pool.all) budgets.push(await replayBudget(db, mandate));
  const count = (kind: string, ...statuses: number[]) =>
    run.orders.filter((order) => order.kind === kind && statuses.includes(order.answer?.status ?? 0)).length;
  console.log({
    seed,
    kills,
    killed: killed(),
    settledAfter,
    mandates: pool.all.length,
    charges: books.charges,
    acknowledged: count("charge", 201, 402),
    refused: count("charge", 403),
    captures: count("capture", 200),
    voids: count("void", 200),
    refunds: books.refunds,
    revocations: run.revoked.length,
    stepUps: run.stepUps,
    aborted: run.aborted,
    disputes: disputes.disputes,
    narrowings: budgets.reduce((all, { narrowings }) => all + narrowings, 0),
    events: deliveries.events,
    deliveries: receiver.received.length,
    answers: Object.fromEntries(run.complaints.statuses),
    instants: budgets.reduce((all, { instants }) => all + instants, 0),
  });

  // Reports all problems, not only the first: a long run shouldn't be repeated to find the others.
  expect.soft(run.complaints.problems).toEqual([]);
  expect.soft(books.problems).toEqual([]);
  expect.soft(disputes.problems).toEqual([]);
  expect.soft(budgets.flatMap(({ exceeded }) => exceeded)).toEqual([]);
  expect.soft(deliveries.problems).toEqual([]);
  expect.soft(await findViolations(db.sql)).toEqual([]);
  expect.soft((await verifyAudit({ db, clock: systemClock })).problems).toEqual([]);
  expect(isEachKilled()).toBe(true);
  expect(count("charge", 201)).toBeGreaterThan(0);
});
