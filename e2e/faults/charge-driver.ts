import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../malformed/random.ts";
import type { MandatePool, PooledMandate } from "./mandate-pool.ts";
import {
  abortAfter,
  ask,
  askOtherBody,
  askUntilConclusive,
  type Complaints,
  isUnderWay,
  type Order,
  post,
} from "./orders.ts";
import { answerAsPayer, needsPayer } from "./payer.ts";

/** The results of a run's orders; `acknowledged` counts charges that succeeded or were declined. */
export type Run = {
  orders: Order[];
  complaints: Complaints;
  acknowledged: number;
  /** mandates whose revocation was acknowledged */
  revoked: PooledMandate[];
  /** when each charge was first requested, in milliseconds since 1970 */
  begun: number[];
  /** `stepUps`: charges that waited for their payer; `aborted`: requests that the client aborted */
  stepUps: number;
  aborted: number;
};
export const newRun = (): Run => ({
  orders: [],
  acknowledged: 0,
  revoked: [],
  begun: [],
  stepUps: 0,
  aborted: 0,
  complaints: { problems: [], statuses: new Map() },
});

/** The values of `metadata.simulate` (docs/spec/payments.md, Simulator). A time-out makes the client wait 8 s. */
const faults = [
  "error_once",
  "error_once",
  "decline:insufficient_funds",
  "decline:lost_card",
  "webhook_late",
  "webhook_lost",
  "webhook_twice",
  "webhook_out_of_order",
  "timeout_before_accept",
  "timeout_after_accept",
  "requires_action",
  "requires_action",
  "requires_action",
];

const newCharge = (random: Random, mandate: PooledMandate): Order & { amount: number } => {
  const amount = 1 + random.below(mandate.caps.max_amount_per_payment);
  const simulate = random.chance(20) ? random.pick(faults) : null;
  const body = {
    mandate_id: mandate.mandateId,
    amount,
    currency: "EUR",
    payer_presence: "in_session",
    capture_method: random.chance(35) ? "manual" : "automatic",
    // Each charge has the reference of its order, so that a second charge for the same order is found.
    reference: randomUUID(),
    ...(simulate ? { metadata: { simulate } } : {}),
  };
  const merchant = random.pick(mandate.merchants);
  return { kind: "charge", merchant, path: "/merchant_test/charge", key: randomUUID(), body, answer: null, amount };
};

const actOn = (charge: Order, kind: "capture" | "void" | "refund", amount: number | null): Order => ({
  kind,
  merchant: charge.merchant,
  key: randomUUID(),
  body: amount === null ? {} : { amount },
  answer: null,
  path: `/merchant_test/charges/${charge.answer?.json?.["id"]}/${kind === "refund" ? "refunds" : kind}`,
});

/** A run of clients against the mandates of a pool. */
type Driver = { pool: MandatePool; run: Run; isOver: () => boolean; awaitTurn: () => Promise<void> };

/**
 * Repeats an order with the same key until it has a final answer. Sometimes the client aborts a request and retries
 * later.
 */
const completeOrder = async ({ run, isOver }: Driver, random: Random, order: Order): Promise<void> => {
  run.orders.push(order);
  if (random.chance(6)) {
    run.aborted += 1;
    await abortAfter(order, random.below(80));
  }
  await askUntilConclusive(order, run.complaints, isOver);
};

/** The payer decides about the charge or leaves it pending, or the shop cancels the charge first. */
const awaitPayer = async (driver: Driver, random: Random, charge: Order): Promise<void> => {
  if (!needsPayer(charge)) return;
  driver.run.stepUps += 1;
  const draw = random.below(100);
  if (draw < 15) return;
  const both = [
    draw < 85 ? answerAsPayer(charge, random) : null,
    draw >= 80 ? completeOrder(driver, random, actOn(charge, "void", null)) : null,
  ];
  await Promise.all(both);
  await askUntilConclusive(charge, driver.run.complaints, driver.isOver);
};

const captureOrVoid = async (driver: Driver, random: Random, charge: Order & { amount: number }): Promise<void> => {
  const draw = random.below(100);
  if (draw < 15) return;
  const part = draw < 50 ? 1 + random.below(charge.amount) : null;
  // Sometimes a void is sent in parallel, so one of the two requests gets 409.
  const acts = [actOn(charge, draw < 75 ? "capture" : "void", draw < 75 ? part : null)];
  if (random.chance(10)) acts.push(actOn(charge, "void", null));
  await Promise.all(acts.map((act) => completeOrder(driver, random, act)));
};

const refundSometimes = async (driver: Driver, random: Random, charge: Order & { amount: number }): Promise<void> => {
  for (let refunds = random.chance(30) ? 1 + random.below(3) : 0; refunds > 0; refunds -= 1) {
    const amount = random.chance(70) ? 1 + random.below(charge.amount) : null;
    await completeOrder(driver, random, actOn(charge, "refund", amount));
  }
};

/** One client. It sends payments, captures, voids, refunds and repeated requests, one after the other. */
const runClient = async (driver: Driver, random: Random): Promise<void> => {
  const { pool, run, isOver, awaitTurn } = driver;
  for (;;) {
    await awaitTurn();
    if (isOver()) return;
    const mandate = pool.pick(random);
    const charge = newCharge(random, mandate);
    run.begun.push(Date.now());
    await completeOrder(driver, random, charge);
    await awaitPayer(driver, random, charge);
    const status = charge.answer?.status;
    pool.note(mandate, status === 403);
    if (status !== 201 && status !== 402) continue;
    run.acknowledged += 1;
    if (random.chance(15)) await ask(charge, run.complaints);
    if (random.chance(5)) await askOtherBody(charge, run.complaints);
    if (status !== 201) continue;
    if (charge.answer?.json?.["status"] === "authorized") await captureOrVoid(driver, random, charge);
    await refundSometimes(driver, random, charge);
  }
};

const narrowNowAndThen = async ({ pool, isOver }: Driver, random: Random): Promise<void> => {
  for (;;) {
    await sleep(700 + random.below(2_500));
    if (isOver()) return;
    await pool.narrow(random).catch(() => null);
  }
};

const revokeNowAndThen = async ({ pool, run, isOver }: Driver, random: Random): Promise<void> => {
  for (;;) {
    await sleep(1_000 + random.below(4_000));
    if (isOver()) return;
    const mandate = await pool.revoke(random).catch(() => null);
    if (!mandate) return;
    run.revoked.push(mandate);
    // The revocation was answered, so this request must not create a charge.
    const charge = newCharge(random, mandate);
    const answer = await post(charge);
    if (answer && answer.status < 403) {
      run.complaints.problems.push(`charged after its revocation: ${answer.status} ${answer.text}`);
    }
  }
};

type Clients = {
  clients: number;
  seed: number;
  isOver: () => boolean;
  /** called before each charge; default: each client pays without pauses */
  awaitTurn?: () => Promise<void>;
};

/** Until `isOver`, clients pay while payers and agents narrow and revoke mandates. Each client uses its own seed. */
export const runClients = async (
  pool: MandatePool,
  run: Run,
  { clients, seed, isOver, awaitTurn = async () => {} }: Clients,
): Promise<void> => {
  const driver = { pool, run, isOver, awaitTurn };
  await Promise.all([
    ...Array.from({ length: clients }, (_, client) => runClient(driver, createRandom(seed, client))),
    revokeNowAndThen(driver, createRandom(seed, clients)),
    narrowNowAndThen(driver, createRandom(seed, clients + 2)),
  ]);
  await pool.settled();
};

/** Every order is sent once more. Final answers are repeated, and orders that have no answer yet get one. */
export const askAllAgain = ({ orders, complaints }: Run): Promise<void> => {
  const isOpen = ({ answer, wasAborted }: Order) =>
    answer === null || [200, 201, 202, 402].includes(answer.status) || (answer.status === 403 && wasAborted);
  return each(orders.filter(isOpen), async (order) => {
    const deadline = Date.now() + 30_000;
    await askUntilConclusive(order, complaints, () => Date.now() > deadline);
    if (order.answer === null) complaints.problems.push(`${order.path} ${order.key}: never answered`);
  });
};

/**
 * Unfinished orders are sent again, and payers answer pending charges.
 * @returns what was pending, in words.
 */
export const answerWaiting = async ({ orders, complaints }: Run, random: Random): Promise<string[]> => {
  const waiting = orders.filter(isUnderWay);
  await each(waiting, async (order) => {
    await ask(order, complaints);
    await answerAsPayer(order, random);
  });
  return waiting.map(
    ({ path, key, answer, refusal }) => `${path} ${key}: ${answer?.text}, its payer: ${refusal ?? "answered"}`,
  );
};

const width = 16;

const each = async (orders: readonly Order[], work: (order: Order) => Promise<void>): Promise<void> => {
  const queue = orders.values();
  const worker = async () => {
    for (const order of queue) await work(order);
  };
  await Promise.all(Array.from({ length: width }, worker));
};
