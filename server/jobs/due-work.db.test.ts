import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCharge, requestRefund } from "../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { findDueWork } from "../data/jobs/due-work.ts";
import { keepPendingMail } from "../data/mail/mail.ts";
import { takeUndispatchedEvents } from "../data/webhooks/event-outbox.ts";
import { appendEvent } from "../data/webhooks/events.ts";
import { insertWebhookDeliveries } from "../data/webhooks/webhook-deliveries.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";

let deps: TestDeps;
let now: Date;
const nothing = {
  billingDueAt: null,
  budgetCheckDueAt: null,
  slaDueAt: null,
  collectionDueAt: null,
  creditsExpireAt: null,
  dataExports: false,
  directoryLog: false,
  events: false,
  webhooks: false,
  mail: false,
  mailBatches: false,
  charges: false,
  chargesExpireAt: null,
  chargeSumsFrom: null,
  participantHealth: false,
  refunds: false,
  undrawnInvoices: false,
};

beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  now = deps.clock.now();
  const setup = await makeChargeableMandate(deps);
  const by = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r" };
  const { chargeId } = await requestCharge(deps, {
    ...by,
    idempotencyKey: "charge",
    request: { mandate_id: setup.mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
  });
  await requestRefund(deps, { ...by, chargeId, idempotencyKey: "refund", request: {} });
  // The tests change the state of this charge. It isn't captured: captured charges are counted and never change.
  await requestCharge(deps, {
    ...by,
    idempotencyKey: "manual",
    request: {
      mandate_id: setup.mandateId,
      amount: 1_000,
      currency: "EUR",
      payer_presence: "in_session",
      capture_method: "manual",
    },
  });
  await queueMail(deps, deps.db.sql, {
    recipient: "a@example.test",
    requestId: "r",
    content: {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    },
  });
  await insertWebhookDeliveries(
    deps.db.sql,
    [
      {
        id: newId("whd"),
        endpointId: "whe_1",
        eventId: "evt_1",
        eventAt: now,
        eventType: "charge.captured",
        objectId: "chg_1",
        sequence: 1,
        state: "pending",
      },
    ],
    { at: now },
  );
});
afterAll(() => deps.close());

/** Nothing is due: all events are dispatched, and no attempt and no look-up is due. */
beforeEach(async () => {
  await takeUndispatchedEvents(deps.db.sql, { limit: 1_000, now });
  await keepPendingMail(deps.db.sql, { now, limit: 1_000 });
  await change("webhook_delivery SET state = 'delivered', next_attempt_at = NULL");
  await change("charge SET state = 'voided', next_lookup_at = NULL, expires_at = NULL WHERE amount_captured = 0");
  await change("refund SET status = 'succeeded', next_lookup_at = NULL");
});

const change = (what: string, ...values: Date[]) => deps.db.prisma.$executeRawUnsafe(`UPDATE ${what}`, ...values);
const due = () => findDueWork(deps.db.sql, now);

/** For each kind, the statement that makes a row wait until $1, and the statement that ends the wait. */
const waits = [
  [
    "charges",
    "charge SET state = 'processing', next_lookup_at = $1 WHERE amount_captured = 0",
    "charge SET state = 'voided', next_lookup_at = NULL WHERE amount_captured = 0",
  ],
  [
    "refunds",
    "refund SET status = 'pending', next_lookup_at = $1",
    "refund SET status = 'succeeded', next_lookup_at = NULL",
  ],
  [
    "webhooks",
    "webhook_delivery SET state = 'pending', next_attempt_at = $1",
    "webhook_delivery SET state = 'delivered', next_attempt_at = NULL",
  ],
  [
    "mail",
    "mail SET state = 'pending', ended_at = NULL, next_attempt_at = $1",
    "mail SET state = 'sent', ended_at = created_at, next_attempt_at = NULL",
  ],
] as const;

test("reports each kind separately, from the instant at which it is due", async () => {
  expect(await due()).toEqual(nothing);
  for (const [kind, wait, end] of waits) {
    await change(wait, addSeconds(now, 1));
    expect(await due()).toEqual(nothing);
    await change(wait, now);
    expect(await due()).toEqual({ ...nothing, [kind]: true });
    await change(end);
  }
  const exported = {
    accountId: (await deps.db.prisma.account.findFirstOrThrow()).id,
    requestedAt: now,
    expiresAt: now,
  };
  await deps.db.prisma.dataExport.create({ data: { id: "exp_1", ...exported, leaseUntil: addSeconds(now, 1) } });
  expect(await due()).toEqual(nothing);
  await change("data_export SET lease_until = NULL");
  expect(await due()).toEqual({ ...nothing, dataExports: true });
  await deps.db.prisma.dataExport.deleteMany();
  await appendEvent(deps.db.sql, { type: "mandate.updated", objectId: "mdt_1", data: {}, at: now });
  expect(await due()).toEqual({ ...nothing, events: true });
});

test("reports when the first approval or authorization expires", async () => {
  const at = addSeconds(now, 3_600);
  await change("charge SET state = 'authorized', expires_at = $1 WHERE amount_captured = 0", at);
  expect(await due()).toEqual({ ...nothing, chargesExpireAt: at });
});

test("doesn't read more rows after thousands of rows were completed", async () => {
  for (const [table, id] of [
    ["charge", "'id', 'chg_old_' || n"],
    ["refund", "'id', 'rfd_old_' || n"],
    ["event", "'id', 'evt_old_' || n, 'object_id', 'old_' || n"],
    ["webhook_delivery", "'id', 'whd_old_' || n"],
    ["mail", "'id', 'mail_old_' || n"],
  ]) {
    await deps.db.prisma.$executeRawUnsafe(`INSERT INTO ${table} SELECT (r).* FROM (
      SELECT jsonb_populate_record(a, jsonb_build_object(${id})) AS r
        FROM (SELECT a FROM ${table} a LIMIT 1) AS one, generate_series(1, 3000) n) AS old`);
  }
  const { done, reads } = await deps.db.sqlTransaction((sql) => countReads(sql, () => findDueWork(sql, now)));
  expect(done).toEqual(nothing);
  expect(reads).toBeLessThan(10);
});
