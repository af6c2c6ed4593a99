import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sentDuring } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { setNotification } from "../../data/accounts/notification-choices.ts";
import type { OptionalMailKind } from "../../kernel/mail-kinds.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { refundCharge } from "../refunds/refund-charge.ts";

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
const mailsTo = async ({ payer }: Setup, kind: OptionalMailKind) => {
  const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: payer.id } });
  return deps.db.prisma.mail.findMany({ where: { recipient: email, kind }, orderBy: [{ createdAt: "asc" }] });
};
const switchOff = ({ payer }: Setup, kind: OptionalMailKind) =>
  setNotification(deps.db.sql, { accountId: payer.id, kind, isOn: false });
const decline = () => {
  const answer = { kind: "declined", declineCode: "insufficient_funds", retryable: true, advice: "Later." } as const;
  bank.state.pay = async () => ({ ...answer, processorRef: "ref" });
};
const month = (max_amount: number) => ({
  periodic_limits: [{ period: "month" as const, alignment: "calendar" as const, max_amount }],
});

describe("a failed payment (docs/spec/portal.md, Notifications)", () => {
  test("is reported by e-mail with amount, merchant and reason, at most once per mandate and hour, even for concurrent charges", async () => {
    const setup = await makeChargeableMandate(deps);
    decline();
    await Promise.all(Array.from({ length: 20 }, () => setup.charge({ amount: 1_234 })));
    const [mail, ...others] = await mailsTo(setup, "charge_failed");
    expect(others).toEqual([]);
    expect(mail?.subject).toContain("€12.34");
    expect(mail?.text).toContain("Reason: the payment method had insufficient funds");
    expect(mail?.text).toMatch(/https:\/\/wallet\.test\/wallet\/activity\/chg_/);
    deps.clock.advance(3_599);
    await setup.charge();
    expect(await mailsTo(setup, "charge_failed")).toHaveLength(1);
    deps.clock.advance(1);
    await setup.charge();
    expect(await mailsTo(setup, "charge_failed")).toHaveLength(2);
  });

  test("isn't reported if the limits don't allow the payment, or if it never reached the processor", async () => {
    const setup = await makeChargeableMandate(deps, { max_amount_per_payment: 100 });
    await expect(setup.charge({ amount: 101 })).rejects.toThrow();
    bank.state.pay = async () => ({ kind: "not_sent" });
    await expect(setup.charge({ amount: 100 })).rejects.toThrow("Nothing was submitted");
    expect(await mailsTo(setup, "charge_failed")).toEqual([]);
  });
});

describe("a limit that is almost used up (docs/spec/portal.md, Notifications)", () => {
  test("is reported by e-mail once per period, even if a refund restores a part of the limit", async () => {
    const setup = await makeChargeableMandate(deps, { ...month(1_000), refund_policy: "restore" });
    const { chargeId } = await setup.charge({ amount: 850 });
    const [mail] = await mailsTo(setup, "limit_near");
    expect(mail?.subject).toMatch(/ has used most of a limit$/);
    expect(mail?.text).toContain("Each month: €8.50 of €10.00 (85%)");
    await refundCharge(deps, {
      chargeId,
      merchantId: setup.merchant.id,
      actor: { kind: "client", id: setup.merchantClient.id },
      requestId: "req_test",
      idempotencyKey: "refund-850",
      request: {},
    });
    expect((await setup.counters()).used).toBe(0n);
    await setup.charge({ amount: 900 });
    expect(await mailsTo(setup, "limit_near")).toHaveLength(1);
    deps.clock.advance(32 * 86_400);
    await setup.charge({ amount: 900 });
    expect(await mailsTo(setup, "limit_near")).toHaveLength(2);
  });

  test("is reported together with other limits, in the payer's language, once for concurrent charges", async () => {
    const setup = await makeChargeableMandate(deps, { max_payments: 20, max_total_amount: 20_000 });
    await deps.db.prisma.account.update({ where: { id: setup.payer.id }, data: { locale: "de-DE" } });
    await Promise.all(Array.from({ length: 18 }, () => setup.charge({ amount: 1_000 })));
    const [mail, ...others] = await mailsTo(setup, "limit_near");
    expect(others).toEqual([]);
    const text = mail?.text.replaceAll("\u00a0", " ");
    expect(text).toContain("Insgesamt: 160,00 € von 200,00 € (80 %)");
    expect(text).toContain("Insgesamt: 16 von 20 Zahlungen (80 %)");
  });
});

describe("the statements of a charge", () => {
  const statementsOf = async (setup: Setup, amount: number): Promise<string[]> => {
    const texts = await sentDuring(() => setup.charge({ amount }));
    return texts.map((text) => text.slice(0, 200)).filter((text) => !text.includes(" FROM signing_key "));
  };

  test("each e-mail adds one statement; an e-mail that the payer switched off adds none", async () => {
    const [plain, near, off] = await Promise.all([
      makeChargeableMandate(deps),
      makeChargeableMandate(deps, month(1_000)),
      makeChargeableMandate(deps, month(1_000)),
    ]);
    await switchOff(off, "limit_near");
    await switchOff(off, "charge_failed");
    await switchOff(plain, "charge_failed");
    // The first charge of a process also fills caches.
    await statementsOf(plain, 100);
    const usual = (await statementsOf(plain, 100)).length;
    expect(await statementsOf(near, 100)).toHaveLength(usual);
    // A charge that reaches a limit's mark, or is declined, is settled in a transaction: with BEGIN and COMMIT.
    const inTransaction = usual + 2;
    // The event about the limit is written by a separate statement, with or without an e-mail.
    expect(await statementsOf(off, 800)).toHaveLength(inTransaction + 1);
    expect(await statementsOf(near, 700)).toHaveLength(inTransaction + 2);
    decline();
    // The statement that settles a charge contains one event and one audit entry. A declined charge has more of them,
    // in one further statement.
    const declined = inTransaction + 1;
    expect(await statementsOf(plain, 100)).toHaveLength(declined);
    expect(await statementsOf(near, 100)).toHaveLength(declined + 1);
    expect(await statementsOf(near, 100)).toHaveLength(declined);
    expect([await mailsTo(off, "limit_near"), await mailsTo(plain, "charge_failed")]).toEqual([[], []]);
    expect(await mailsTo(near, "limit_near")).toHaveLength(1);
  });
});
