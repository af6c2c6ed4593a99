import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findCharge } from "../../data/charges/charges.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { requestCharge } from "./answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor, untilSubmitted } from "./charge-setup.fixture.ts";
import { settleCharge } from "./settle-charge.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

const bank = scriptedProcessor();
let deps: TestDeps;
let nodes: TestDeps[];
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
  nodes = [deps, await anotherNode(deps)];
});
afterAll(async () => {
  expect(await findViolations(deps.db.sql)).toEqual([]);
  for (const node of nodes.toReversed()) await node.close();
});

const amount = 10;

/** The answers to charges at one of the processes: the status, or the code of the refusal. */
const chargeAt = (node: TestDeps | undefined, setup: Setup, idempotencyKey: string) =>
  untilSubmitted(() =>
    requestCharge(node ?? deps, {
      merchantId: setup.merchant.id,
      clientId: setup.merchantClient.id,
      requestId: "r",
      idempotencyKey,
      request: { mandate_id: setup.mandateId, amount, currency: "EUR", payer_presence: "in_session" },
    }),
  ).then(
    ({ status, isRepeat }) => (isRepeat ? "replay" : String(status)),
    (error: unknown) => (isDomainError(error) ? error.code : String(error)),
  );

const count = (answers: readonly string[], answer: string) => answers.filter((each) => each === answer).length;

/** The charges that were made, with the rows written for each. */
const written = async ({ mandateId }: Setup) => {
  const { prisma } = deps.db;
  const charges = await prisma.charge.findMany({ where: { mandateId } });
  const ids = charges.map(({ id }) => id);
  const [events, entries, keys] = await Promise.all([
    prisma.event.findMany({ where: { objectId: { in: ids } } }),
    prisma.$queryRaw<{ entry: string }[]>`SELECT subject_id || ' ' || action AS entry FROM audit_entry
      WHERE subject_id = ANY (${ids}) ORDER BY 1`,
    prisma.$queryRaw<{ key: string }[]>`SELECT charge_id || ' ' || response_status AS key FROM idempotency_key
      WHERE charge_id = ANY (${ids}) ORDER BY 1`,
  ]);
  return {
    states: [...new Set(charges.map(({ state }) => state))],
    charges: charges.length,
    events: events.map(({ objectId, type, sequence }) => `${objectId} ${type} ${sequence}`).sort(),
    entries: entries.map(({ entry }) => entry),
    keys: keys.map(({ key }) => key),
    ids: ids.sort(),
  };
};

test.each([
  ["total amount", { max_total_amount: 30 * amount }, "consumed"],
  ["number of payments", { max_payments: 30 }, "consumed"],
  [
    "daily amount",
    { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 30 * amount + amount - 1 } as const] },
    "active",
  ],
])(
  "if the limit of the %s allows 30 of 120 concurrent charges in two processes, 30 are made, each with its own event and audit entry",
  async (_, limits, state) => {
    const setup = await makeChargeableMandate(deps, limits);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_each, index) => chargeAt(nodes[index % 2], setup, `k${index}`)),
    );
    expect([count(answers, "201"), count(answers, "refused_by_mandate")]).toEqual([30, 90]);
    const { ids, ...found } = await written(setup);
    expect(found).toEqual({
      states: ["succeeded"],
      charges: 30,
      events: ids.map((id) => `${id} charge.succeeded 1`),
      entries: ids.map((id) => `${id} charge.succeeded`),
      keys: ids.map((id) => `${id} 201`),
    });
    expect(await setup.counters()).toMatchObject({ state, used: 300n, held: 0n, usedCount: 30n, heldCount: 0n });
  },
);

test("if two processes use the same 40 keys concurrently in opposite order, one charge per key is made and no deadlock occurs", async () => {
  const setup = await makeChargeableMandate(deps);
  const keys = Array.from({ length: 40 }, (_, index) => `twice-${index}`);
  const [there, here] = await Promise.all(
    [keys, keys.toReversed()].map((order, node) => Promise.all(order.map((key) => chargeAt(nodes[node], setup, key)))),
  );
  const answers = [...(there ?? []), ...(here ?? [])];
  expect(count(answers, "201")).toBe(40);
  expect(count(answers, "replay") + count(answers, "idempotency_key_in_use")).toBe(40);
  expect(await setup.counters()).toMatchObject({ usedCount: 40n, heldCount: 0n });
});

test("the events of one charge are in order, even if two settlements wait for the mandate together and the first settlement queues an e-mail", async () => {
  const setup = await makeChargeableMandate(deps);
  const { pay } = bank.state;
  bank.state.pay = async () => ({ kind: "unknown" });
  const { chargeId } = await setup.charge();
  bank.state.pay = pay;
  const charge = await findCharge(deps.db.sql, chargeId);
  if (!charge) throw new Error("no charge");
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const busy = deps.db.inSharedTurn(setup.mandateId, () => until);
  const by = { kind: "processor", requestId: "r" } as const;
  const actionUrl = "https://bank.example/confirm";
  const settling = [
    settleCharge(deps, charge, { event: { kind: "requires_action", processorRef: "p", actionUrl }, by }),
    settleCharge(deps, charge, { event: { kind: "succeeded", processorRef: "p" }, by }),
  ];
  // Both settlements read the time first, and then wait for the lock of the mandate.
  await setTimeout(50);
  letGo();
  await busy;
  const settled = await Promise.all(settling);
  expect(settled.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
  expect((await written(setup)).events).toEqual(
    ["charge.reconciled 3", "charge.succeeded 2", "charge.unknown 1"].map((event) => `${chargeId} ${event}`),
  );
});
