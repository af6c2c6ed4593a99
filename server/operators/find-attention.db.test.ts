import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeDraft } from "../billing/invoices/invoice.fixture.ts";
import { applyPlans, makeSubscriber, testPlans } from "../billing/subscriptions/subscription.fixture.ts";
import { updateTaxAwaited } from "../data/billing/invoices/write-invoice.ts";
import { insertContradiction, updateContradictionClosed } from "../data/charges/contradictions.ts";
import { addJobPulse } from "../data/jobs/job-pulses.ts";
import { findMailById } from "../data/mail/outbox.ts";
import { addSeconds, standingAt } from "../kernel/time/clock.ts";
import { listMail } from "../platform/mail/list-mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { sendDueMail } from "../platform/mail/send-due-mail.ts";
import type { MailSender } from "../platform/mail/smtp.ts";
import { findAttention } from "./find-attention.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const queue = (recipient: string) =>
  queueMail(deps, deps.db.sql, {
    recipient,
    requestId: "req_test",
    content: {
      kind: "webhook_endpoint_off",
      endpointId: "whe_1",
      url: "https://shop.example/hooks",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    },
  });
const refuse =
  (isFinal: boolean): MailSender =>
  async () => ({ kind: "failed", problem: "EENVELOPE: 550 no such user", isFinal });
const idsOf = async (query: Partial<Parameters<typeof listMail>[1]>) =>
  (await listMail(deps, { limit: 100, ...query })).mail.map(({ id }) => id);

describe("the list of items that need an operator (docs/spec/portal.md, Operator console)", () => {
  test("is empty when nothing needs an operator", async () => {
    const none = {
      chargesUnderReview: 0,
      pendingMerchants: 0,
      contradictions: 0,
      billingPaymentsUnderReview: 0,
      taxDecisions: 0,
      meterDifferences: 0,
      failedMail: 0,
      retryingMail: 0,
      incidentDrafts: 0,
      failingJobs: [],
      missingSettings: [],
    };
    expect(await findAttention(deps)).toEqual(none);
  });

  test("lists the settings that production lacks; invoices need an issuer once a merchant has a subscription", async () => {
    const config = {
      ...deps.config,
      environment: "production",
      isLoopback: false,
      smtpUrl: null,
      stripe: null,
      billingIssuer: null,
      dnsResolvers: ["192.0.2.1:53"],
    } as const;
    const inProduction = { ...deps, config };
    expect((await findAttention(inProduction)).missingSettings).toEqual(["mail", "stripe", "dnsResolvers"]);
    await applyPlans(deps, testPlans((await deps.businessClock.now()).toISOString().slice(0, 10)));
    await makeSubscriber(deps, "free");
    expect((await findAttention(inProduction)).missingSettings).toContain("billingIssuer");
  });

  test("counts a draft that has waited for tax details for 7 days", async () => {
    const { invoiceId } = await makeDraft(deps);
    const at = await deps.businessClock.now();
    await updateTaxAwaited(deps.db.sql, invoiceId, at);
    const later = (seconds: number) => ({ ...deps, businessClock: standingAt(addSeconds(at, seconds)) });
    expect(await findAttention(later(7 * 86_400 - 1))).toMatchObject({ taxDecisions: 0 });
    expect(await findAttention(later(7 * 86_400))).toMatchObject({ taxDecisions: 1 });
  });

  test("counts meters that differ from their source (docs/spec/billing.md, Reconciliation)", async () => {
    await deps.db.prisma.$executeRaw`INSERT INTO meter_reconciliation
      SELECT 'mch_1', '2026-11-01Z', meter, 1, quantity, 1, 1, now() FROM (VALUES ('step_ups', 1), ('own:sms', 2)) v (meter, quantity)`;
    expect(await findAttention(deps)).toMatchObject({ meterDifferences: 1 });
  });

  test("counts a contradiction until it is closed", async () => {
    const contradiction = { about: "payment", processorRef: "pi_1", reported: "succeeded", amount: 1n } as const;
    await insertContradiction(deps.db.sql, {
      ...contradiction,
      id: "ctr_1",
      chargeId: "chg_1",
      raisedAt: deps.clock.now(),
    });
    expect(await findAttention(deps)).toMatchObject({ contradictions: 1 });
    await updateContradictionClosed(deps.db.sql, { id: "ctr_1", at: deps.clock.now(), closedBy: "acc_1" });
    expect(await findAttention(deps)).toMatchObject({ contradictions: 0 });
  });

  test("counts mail that is being retried, and mail that failed less than a week ago", async () => {
    const id = await queue("a@example.test");
    expect(await findAttention(deps)).toMatchObject({ retryingMail: 0 });
    await sendDueMail(deps, refuse(false), { limit: 10 });
    expect(await findAttention(deps)).toMatchObject({ retryingMail: 1, failedMail: 0 });
    deps.clock.advance(10);
    await sendDueMail(deps, refuse(true), { limit: 10 });
    expect(await findAttention(deps)).toMatchObject({ retryingMail: 0, failedMail: 1 });
    expect(await findMailById(deps.db.sql, id)).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/550/),
    });
    deps.clock.advance(7 * 24 * 3600);
    expect(await findAttention(deps)).toMatchObject({ failedMail: 0 });
  });

  test("lists a job whose last run failed, until a run succeeds", async () => {
    const pulse = { name: "send-mail", ranAt: deps.clock.now(), runs: 1, done: 0, lastError: "no", failures: 1 };
    await addJobPulse(deps.db.sql, { ...pulse, okAt: null, failedAt: deps.clock.now() });
    expect(await findAttention(deps)).toMatchObject({ failingJobs: ["send-mail"] });
    deps.clock.advance(10);
    await addJobPulse(deps.db.sql, { ...pulse, failures: 0, okAt: deps.clock.now(), failedAt: null });
    expect(await findAttention(deps)).toMatchObject({ failingJobs: [] });
  });

  test("counts an incident draft until it is confirmed or dismissed", async () => {
    const at = deps.clock.now();
    await deps.db.prisma.incident.create({
      data: {
        id: "inc_1",
        title: "Billing engine: major outage",
        state: "draft",
        impact: "critical",
        source: "probe",
        openedBy: "probe",
        startedAt: at,
        createdAt: at,
      },
    });
    expect(await findAttention(deps)).toMatchObject({ incidentDrafts: 1 });
    await deps.db.prisma.incident.update({ where: { id: "inc_1" }, data: { state: "dismissed" } });
    expect(await findAttention(deps)).toMatchObject({ incidentDrafts: 0 });
  });

  test("lists the outbox newest first, filtered by state, recipient, subject and id, in pages", async () => {
    deps.clock.advance(1);
    const first = await queue("First.Person@example.test");
    deps.clock.advance(1);
    const second = await queue("second@example.test");
    expect((await idsOf({})).slice(0, 2)).toEqual([second, first]);
    expect(await idsOf({ state: "pending" })).toEqual([second, first]);
    expect(await idsOf({ state: "pending", startingAfter: second })).toEqual([first]);
    expect(await listMail(deps, { state: "pending", limit: 1 })).toMatchObject({
      hasMore: true,
      mail: [{ id: second }],
    });
    expect(await idsOf({ search: "FIRST.person" })).toEqual([first]);
    expect(await idsOf({ search: "switched off", state: "pending" })).toHaveLength(2);
    expect(await idsOf({ search: second })).toEqual([second]);
    expect(await idsOf({ search: "%" })).toEqual([]);
  });
});
