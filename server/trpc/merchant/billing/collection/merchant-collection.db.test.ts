import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { MerchantRole } from "../../../../accounts/authorize.ts";
import { makeFinalInvoice } from "../../../../billing/invoices/invoice.fixture.ts";
import { createCreditNote } from "../../../../billing/invoices/transitions/create-credit-note.ts";
import { scriptedProcessor } from "../../../../charges/charge/charge-setup.fixture.ts";
import { findInvoiceLineRows } from "../../../../data/billing/invoices/lines.ts";
import type { PaymentOutcome } from "../../../../deps/processor-port.ts";
import { callerOf } from "../../../caller.fixture.ts";
import { makeMember } from "../../merchant-tenant.fixture.ts";

let deps: TestDeps;
let processor: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  processor = scriptedProcessor();
  const created = await createTestDeps({ now: new Date("2026-11-02T00:00:00Z"), processors: processor.processors });
  deps = { ...created, config: { ...created.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
});
beforeEach(() => answerWith({ kind: "succeeded", processorRef: "ref_1" }));
afterAll(() => deps.close());

const answerWith = (outcome: PaymentOutcome) => {
  processor.state.calls = 0;
  processor.state.pay = async (request) =>
    "processorRef" in outcome && outcome.processorRef !== null
      ? { ...outcome, processorRef: `ref_${request.key}` }
      : outcome;
};
const declined = {
  kind: "declined",
  processorRef: null,
  declineCode: "lost_card",
  retryable: false,
  advice: "",
} as const;

const openInvoice = async (role: MerchantRole = "owner") => {
  const { invoiceId, merchantId } = await makeFinalInvoice(deps);
  const { merchantCollection: api } = callerOf(deps, await makeMember(deps, merchantId, role));
  return { api, invoiceId, merchantId, wanted: { merchantId, invoiceId } };
};

const reasonOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "done",
    (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
  );

describe("a member pays an invoice (docs/spec/billing.md, Merchant pages)", () => {
  test("an open invoice is paid once, even by parallel requests, and the attempt is listed", async () => {
    const { api, wanted } = await openInvoice();
    expect(await api.ofInvoice(wanted)).toMatchObject({ attempts: [], isPayable: true, method: "Visa ending in 4242" });
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => api.pay(wanted)));
    expect(tries.filter((one) => one.status === "fulfilled" && one.value.outcome === "paid")).toHaveLength(1);
    expect(processor.state.calls).toBe(1);
    const after = await api.ofInvoice(wanted);
    expect(after).toMatchObject({
      isPayable: false,
      attempts: [{ state: "paid", amountMinor: 5831, currency: "EUR" }],
    });
    expect(await reasonOf(api.pay(wanted))).toBe("invoice_not_open");
  });

  test.each([
    ["unknown", { kind: "unknown" } as const],
    ["processing", { kind: "processing", processorRef: "ref_1" } as const],
  ])("while the outcome is %s, the invoice can't be paid again", async (state, outcome) => {
    const { api, wanted } = await openInvoice();
    answerWith(outcome);
    expect(await api.pay(wanted)).toEqual({ outcome: "unknown" });
    expect(await api.ofInvoice(wanted)).toMatchObject({ attempts: [{ state }], isPayable: false });
    expect(await api.pay(wanted)).toEqual({ outcome: "unresolved" });
    expect(processor.state.calls).toBe(1);
  });

  test("after a final decline, another card pays the invoice", async () => {
    const { api, wanted, merchantId } = await openInvoice("admin");
    answerWith(declined);
    expect(await api.pay(wanted)).toEqual({ outcome: "declined" });
    expect(await api.ofInvoice(wanted)).toMatchObject({
      attempts: [{ state: "declined", declineCode: "lost_card" }],
      nextAttemptAt: null,
      isPayable: true,
    });
    expect(await api.setMethod({ merchantId, card: "mastercard" })).toEqual({ label: "Mastercard ending in 4444" });
    expect(await api.method({ merchantId })).toMatchObject({ label: "Mastercard ending in 4444", isDefault: false });
    answerWith({ kind: "succeeded", processorRef: "ref_1" });
    deps.clock.advance(1);
    expect(await api.pay(wanted)).toEqual({ outcome: "paid" });
    expect((await api.ofInvoice(wanted)).attempts.map(({ state, method }) => [state, method])).toEqual([
      ["paid", "Mastercard ending in 4444"],
      ["declined", "Visa ending in 4242"],
    ]);
  });

  test("developers and viewers see the attempts, but can't pay or set a card", async () => {
    for (const role of ["developer", "viewer"] as const) {
      const { api, wanted, merchantId } = await openInvoice(role);
      expect(await api.ofInvoice(wanted)).toMatchObject({ attempts: [] });
      expect(await reasonOf(api.pay(wanted))).toBe("FORBIDDEN");
      expect(await reasonOf(api.setMethod({ merchantId, card: "visa" }))).toBe("FORBIDDEN");
    }
    expect(processor.state.calls).toBe(0);
  });

  test("an invoice of another merchant is not found", async () => {
    const { invoiceId } = await openInvoice();
    const { api, merchantId } = await openInvoice();
    expect(await reasonOf(api.ofInvoice({ merchantId, invoiceId }))).toBe("not_found");
    expect(await reasonOf(api.pay({ merchantId, invoiceId }))).toBe("not_found");
  });

  test("an invoice names its credit notes, and a credit note its invoice", async () => {
    const { invoiceId, merchantId, wanted } = await openInvoice();
    const [line] = await findInvoiceLineRows(deps.db.sql, invoiceId);
    const credits = [{ lineId: line?.id ?? "", amountMinor: 1000n }];
    const by = { actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" } as const;
    await createCreditNote(deps, { invoiceId, key: "first", reason: "goodwill", lines: credits, ...by });
    const { merchantBilling } = callerOf(deps, await makeMember(deps, merchantId, "viewer"));
    const invoice = await merchantBilling.invoice(wanted);
    expect(invoice).toMatchObject({ amountCreditedMinor: 1190, amountDueMinor: 4641 });
    expect(invoice.related).toMatchObject([{ totalMinor: 1190, status: "paid" }]);
    const note = await merchantBilling.invoice({ merchantId, invoiceId: invoice.related[0]?.id ?? "" });
    expect(note.related).toMatchObject([{ id: invoiceId, number: invoice.number }]);
  });
});
