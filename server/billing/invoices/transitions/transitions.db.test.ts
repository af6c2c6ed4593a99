import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { countLockWaits } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../../charges/charge/charge-setup.fixture.ts";
import { lockUsableGrants } from "../../../data/billing/credits/grants.ts";
import { findInvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows } from "../../../data/billing/invoices/lines.ts";
import { lockInvoicingOf } from "../../../data/billing/invoices/write-invoice.ts";
import { findLedgerBalances, findLedgerEntries } from "../../../data/billing/ledger/entries.ts";
import { settleLedgerTransaction } from "../../../data/billing/ledger/transactions.ts";
import type { Sql } from "../../../data/client.ts";
import { billingInvariants } from "../../../data/invariants/billing-invariants.ts";
import { newId } from "../../../kernel/ids.ts";
import { expireCredits } from "../../credits/expire-credits.ts";
import { grantCredit } from "../../credits/grant-credit.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import { paymentPostings } from "../../rules/ledger/postings.ts";
import { makeDraft, makeFinalInvoice, standardTax } from "../invoice.fixture.ts";
import { applyPayment } from "./apply-payment.ts";
import { createCreditNote } from "./create-credit-note.ts";
import { markUncollectible } from "./mark-uncollectible.ts";
import { previewCreditNote } from "./preview-credit-note.ts";
import { voidInvoice } from "./void-invoice.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-02T00:00:00Z") });
});
afterAll(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
const rowOf = async (id: string) => {
  const row = await findInvoiceRow(deps.db.sql, id);
  if (!row) throw new Error("no invoice");
  return row;
};
const linesOf = (id: string) => findInvoiceLineRows(deps.db.sql, id);
const balancesOf = async (merchantId: string) =>
  Object.fromEntries(
    (await findLedgerBalances(deps.db.sql, merchantId, { account: null, currency: null })).map(
      ({ account, posted, pending }) => [account, pending === 0n ? posted : [posted, pending]],
    ),
  );
const eventsOf = async (objectId: string) =>
  (
    await deps.db.prisma.$queryRaw<
      { type: string }[]
    >`SELECT type FROM event WHERE object_id = ${objectId} ORDER BY sequence`
  ).map(({ type }) => type);
/** Credits an amount of one line of an invoice. */
const credit = async (invoiceId: string, amountMinor: bigint, { line = 0, key = newId("req") } = {}) => {
  const lineId = (await linesOf(invoiceId))[line]?.id ?? "";
  return createCreditNote(deps, { invoiceId, lines: [{ lineId, amountMinor }], reason: "An error", key, ...by });
};
const startPayment = async (invoiceId: string, amountMinor: bigint) => {
  const { merchantId, currency } = await rowOf(invoiceId);
  const paymentId = newId("req");
  const source = { type: "payment", id: paymentId } as const;
  const postings = paymentPostings(currency, amountMinor);
  await postTransaction(deps.db.sql, {
    merchantId,
    kind: "payment",
    source,
    postings,
    state: "pending",
    at: deps.clock.now(),
  });
  return { paymentId, source, amountMinor };
};
const finishPayment = (invoiceId: string, { paymentId, amountMinor }: { paymentId: string; amountMinor: bigint }) =>
  deps.db.sqlTransaction((sql) =>
    applyPayment(sql, { invoiceId, paymentId, amountMinor, at: deps.clock.now(), ...by }),
  );

describe("credit notes (docs/spec/billing.md, Credit notes)", () => {
  test("have one discount for each coupon; these discounts sum to the total discount of the note", async () => {
    const coupons = ["ONE", "TWO"].map((code) => ({
      code,
      percent: parseExact("10"),
      amountMinor: null,
      meters: null,
    }));
    const { invoiceId } = await makeFinalInvoice(deps, { coupons });
    const notes = [await credit(invoiceId, 1000n), await credit(invoiceId, 3900n)];
    const [part, rest] = await Promise.all(notes.map(({ creditNoteId }) => rowOf(creditNoteId)));
    expect([part?.discount, part?.discounts]).toEqual([
      190n,
      [
        { coupon: "ONE", amount: "100" },
        { coupon: "TWO", amount: "90" },
      ],
    ]);
    expect([rest?.discount, rest?.discounts]).toEqual([
      741n,
      [
        { coupon: "ONE", amount: "390" },
        { coupon: "TWO", amount: "351" },
      ],
    ]);
  });

  test("reduce the amount due, and have a number, ledger entries, lines and an event", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const { creditNoteId, number } = await credit(invoiceId, 1000n);
    expect(number).toMatch(/^TEST-CN-2026-\d{6}$/);
    expect(await rowOf(creditNoteId)).toMatchObject({
      type: "credit_note",
      status: "paid",
      corrects: invoiceId,
      subtotal: 1000n,
      tax: 190n,
      total: 1190n,
      amountDue: 0n,
      toCreditBalance: 0n,
      taxes: [{ category: "S", rate: "19", base: "1000", amount: "190" }],
    });
    const [line] = await linesOf(invoiceId);
    expect(await linesOf(creditNoteId)).toMatchObject([
      { amount: 1000n, corrects: line?.id, description: "Credit: Flat fee" },
    ]);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "open", amountCredited: 1190n, amountDue: 4641n });
    expect(await balancesOf(merchantId)).toEqual({ receivable: 4641n, revenue: -3900n, tax: -741n });
    expect(await eventsOf(creditNoteId)).toEqual(["credit_note.created"]);
    expect(await eventsOf(invoiceId)).toEqual(["invoice.finalized"]);
  });

  test("together credit exactly the total and the tax of the invoice, and never more", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps, { flat: 999n });
    expect(await rowOf(invoiceId)).toMatchObject({ total: 1189n, tax: 190n });
    const notes = [await credit(invoiceId, 333n), await credit(invoiceId, 333n), await credit(invoiceId, 333n)];
    const rows = await Promise.all(notes.map(({ creditNoteId }) => rowOf(creditNoteId)));
    expect(rows.map(({ tax }) => tax)).toEqual([63n, 64n, 63n]);
    expect(await refusalOf(credit(invoiceId, 1n))).toMatchObject({ pointers: ["/lines/0/amount"] });
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", amountDue: 0n, amountCredited: 1189n });
    expect(await eventsOf(invoiceId)).toEqual(["invoice.finalized", "invoice.paid"]);
    expect(await balancesOf(merchantId)).toEqual({ receivable: 0n, revenue: 0n, tax: 0n });
  });

  test("for a whole invoice, credit the remaining amount of each line, including negative lines", async () => {
    const refund = {
      meter: "successful_charges",
      period: { from: new Date("2026-09-01T00:00:00Z"), to: new Date("2026-10-01T00:00:00Z") },
      exact: parseExact("-300"),
      quantity: 1n,
    };
    const { invoiceId, merchantId } = await makeFinalInvoice(deps, { tokens: 200n, refunds: [refund] });
    await credit(invoiceId, 1000n);
    const all = { invoiceId, lines: "all", reason: "Canceled", key: "all", ...by } as const;
    const preview = await previewCreditNote(deps, all);
    expect(preview).toMatchObject({ subtotal: 3700n, tax: 703n, total: 4403n, settled: 4403n, toCreditBalance: 0n });
    const { creditNoteId } = await createCreditNote(deps, all);
    expect(await rowOf(creditNoteId)).toMatchObject({ subtotal: 3700n, tax: 703n, total: 4403n });
    expect((await linesOf(creditNoteId)).map(({ amount }) => amount)).toEqual([3900n, 100n, -300n]);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", amountDue: 0n });
    expect(await balancesOf(merchantId)).toEqual({ receivable: 0n, revenue: 0n, tax: 0n });
    expect((await refusalOf(createCreditNote(deps, { ...all, key: "again" }))).pointers).toEqual(["/lines"]);
  });

  test("are created once per key; a repeated key with other lines or another reason is refused", async () => {
    const { invoiceId } = await makeFinalInvoice(deps, { tokens: 200n });
    const [flat = "", tokens = ""] = (await linesOf(invoiceId)).map(({ id }) => id);
    const request = { invoiceId, lines: [{ lineId: flat, amountMinor: 100n }], reason: "An error", key: "once", ...by };
    const first = await createCreditNote(deps, request);
    expect(await createCreditNote(deps, request)).toEqual({ ...first, isNew: false });
    for (const other of [
      { lines: [{ lineId: flat, amountMinor: 101n }] },
      { lines: [{ lineId: tokens, amountMinor: 100n }] },
      { lines: [...request.lines, { lineId: tokens, amountMinor: 1n }] },
      { reason: "Another" },
    ])
      expect(await refusalOf(createCreditNote(deps, { ...request, ...other }))).toMatchObject({
        code: "credit_note_conflict",
        pointers: ["/key"],
      });
    expect(await rowOf(invoiceId)).toMatchObject({ amountCredited: 119n });
  });

  test("are not written by a preview", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    const lineId = (await linesOf(invoiceId))[0]?.id ?? "";
    const preview = await previewCreditNote(deps, { invoiceId, lines: [{ lineId, amountMinor: 1000n }] });
    expect(preview).toMatchObject({ subtotal: 1000n, tax: 190n, total: 1190n, settled: 1190n });
    expect(await rowOf(invoiceId)).toMatchObject({ amountCredited: 0n, amountDue: 5831n });
  });

  test("credit gross amounts if prices include tax", async () => {
    const { invoiceId } = await makeFinalInvoice(deps, {
      flat: 1190n,
      tax: { ...standardTax, behaviour: "inclusive" },
    });
    const { creditNoteId } = await credit(invoiceId, 595n);
    expect(await rowOf(creditNoteId)).toMatchObject({ subtotal: 595n, tax: 95n, total: 595n });
    expect(await rowOf(invoiceId)).toMatchObject({ amountDue: 595n });
  });

  test("10 parallel requests with one key create one credit note; requests with different keys never exceed the line", async () => {
    const { invoiceId } = await makeFinalInvoice(deps);
    const same = await Promise.all(Array.from({ length: 10 }, () => credit(invoiceId, 900n, { key: "same" })));
    expect(new Set(same.map(({ creditNoteId }) => creditNoteId)).size).toBe(1);
    expect(same.filter(({ isNew }) => isNew)).toHaveLength(1);
    const others = await Promise.allSettled(Array.from({ length: 10 }, () => credit(invoiceId, 1000n)));
    expect(others.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", amountDue: 0n });
  });

  test("become credit balance if the invoice is paid, and the next invoice uses this balance", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    await finishPayment(invoiceId, await startPayment(invoiceId, 5831n));
    await credit(invoiceId, 1000n);
    expect(await balancesOf(merchantId)).toMatchObject({
      receivable: 0n,
      customer_credit: -1190n,
      processor_clearing: 5831n,
    });
    const { invoiceId: next } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(next)).toMatchObject({ creditApplied: 1190n, amountDue: 4641n });
  });

  test("return the prepaid and promotional credits that the invoice used, in reverse order of use, then add credit balance", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const grant = { merchantId, currency: "EUR", priority: 0, reason: "Welcome", ...by } as const;
    const expiresAt = new Date(deps.clock.now().getTime() + 3_600_000);
    await grantCredit(deps, { ...grant, kind: "promotional", amountMinor: 2000n, expiresAt, key: "gift" });
    await grantCredit(deps, { ...grant, kind: "prepaid", amountMinor: 1000n, expiresAt: null, key: "paid" });
    const remaining = async () =>
      (
        await deps.db.prisma.$queryRaw<{ kind: string; remaining: bigint }[]>`
          SELECT kind, remaining FROM billing_credit_grant WHERE merchant_id = ${merchantId} ORDER BY granted_at, kind, remaining`
      ).map((one) => `${one.kind} ${one.remaining}`);
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(invoiceId)).toMatchObject({ prepaidApplied: 3000n, amountDue: 2831n });
    // After the payment, 595 remain due. The first credit note settles this amount before it returns credits.
    await finishPayment(invoiceId, await startPayment(invoiceId, 2236n));
    expect((await balancesOf(merchantId))["receivable"]).toBe(595n);
    const lineId = (await linesOf(invoiceId))[0]?.id ?? "";
    const first = await previewCreditNote(deps, { invoiceId, lines: [{ lineId, amountMinor: 1500n }] });
    expect(first).toMatchObject({ total: 1785n, settled: 595n, toCreditBalance: 0n });
    expect(first.returned.map(({ amount }) => amount)).toEqual([1000n, 190n]);
    await credit(invoiceId, 1500n);
    expect(await remaining()).toEqual(["prepaid 1000", "promotional 190"]);
    const notes = await Promise.all([credit(invoiceId, 1000n), credit(invoiceId, 1000n)]);
    expect(await remaining()).toEqual(["credit_note 570", "prepaid 1000", "promotional 2000"]);
    const rows = await Promise.all(notes.map(({ creditNoteId }) => rowOf(creditNoteId)));
    expect(rows.map(({ toCreditBalance }) => toCreditBalance).toSorted()).toEqual([0n, 570n]);
    expect(await balancesOf(merchantId)).toMatchObject({ receivable: 0n, prepaid: -3000n, customer_credit: -570n });
    // The promotional credit keeps its expiry.
    deps.clock.advance(3600);
    expect(await expireCredits(deps, { limit: 10 })).toBe(1);
    expect(await remaining()).toEqual(["credit_note 570", "prepaid 1000", "promotional 0"]);
  });

  test("are refused for drafts, void invoices, lines of other invoices, and credit notes", async () => {
    const draft = await makeDraft(deps);
    expect(await refusalOf(credit(draft.invoiceId, 1n))).toMatchObject({ code: "invoice_not_final" });
    const { invoiceId } = await makeFinalInvoice(deps);
    const { creditNoteId } = await credit(invoiceId, 1000n);
    expect(await refusalOf(credit(creditNoteId, 1n))).toMatchObject({ code: "invoice_not_creditable" });
    const other = await makeFinalInvoice(deps);
    const lines = [{ lineId: (await linesOf(other.invoiceId))[0]?.id ?? "", amountMinor: 1n }];
    const request = { invoiceId, lines, reason: "An error", key: "k", ...by };
    expect(await refusalOf(createCreditNote(deps, request))).toMatchObject({
      pointers: ["/lines/0/lineId"],
    });
    expect(await refusalOf(createCreditNote(deps, { ...request, lines: [] }))).toMatchObject({
      pointers: ["/lines"],
    });
    await voidInvoice(deps, { invoiceId: other.invoiceId, reason: "A test", ...by });
    expect(await refusalOf(credit(other.invoiceId, 1n))).toMatchObject({ code: "invoice_not_creditable" });
  });
});

describe("locks of credit notes and the billing run (docs/spec/billing.md, Credit notes)", () => {
  const makePrepaidInvoice = async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const credits = { merchantId, kind: "prepaid", currency: "EUR", priority: 0, expiresAt: null } as const;
    await grantCredit(deps, { ...credits, amountMinor: 9000n, key: "1", reason: "Paid", ...by });
    return makeFinalInvoice(deps, { merchantId });
  };

  /**
   * Creates a credit note while another transaction holds the lock that `lock` takes. Like the billing run, that
   * transaction then needs the ledger's balances.
   */
  const creditDuring = async (
    { invoiceId, merchantId }: { invoiceId: string; merchantId: string },
    lock: (sql: Sql) => Promise<unknown>,
  ) => {
    let note: Promise<{ isNew: boolean }> | undefined;
    const source = { type: "invoice", id: newId("inv") } as const;
    const postings = [
      { account: "receivable", currency: "EUR", amount: 1n },
      { account: "revenue", currency: "EUR", amount: -1n },
    ] as const;
    const run = deps.db.sqlTransaction(async (sql) => {
      await lock(sql);
      note = credit(invoiceId, 100n);
      note.catch(() => undefined);
      await expect.poll(() => countLockWaits(deps)).toBe(1);
      await postTransaction(sql, { merchantId, kind: "invoice.finalized", source, postings, at: deps.clock.now() });
      throw new Error("rolled back");
    });
    await expect(run).rejects.toThrow("rolled back");
    expect(await note).toMatchObject({ isNew: true });
  };

  test("a note locks the credits before the ledger's balances", async () => {
    const invoice = await makePrepaidInvoice();
    const { merchantId } = invoice;
    await creditDuring(invoice, (sql) => lockUsableGrants(sql, { merchantId, currency: "EUR", at: deps.clock.now() }));
  });

  test("while another invoice of the merchant is finalized, a note waits before it locks the invoice and the credits", async () => {
    const invoice = await makePrepaidInvoice();
    await creditDuring(invoice, async (sql) => {
      await lockInvoicingOf(sql, invoice.merchantId);
      await lockUsableGrants(sql, { merchantId: invoice.merchantId, currency: "EUR", at: deps.clock.now() });
    });
  });
});

describe("transitions (docs/spec/billing.md, Invoices)", () => {
  test("voiding reverses the ledger entries and returns credits once", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const grant = {
      merchantId,
      kind: "promotional",
      currency: "EUR",
      amountMinor: 2000n,
      priority: 0,
      expiresAt: null,
    } as const;
    await grantCredit(deps, { ...grant, key: "1", reason: "Welcome", ...by });
    const before = await balancesOf(merchantId);
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(invoiceId)).toMatchObject({ prepaidApplied: 2000n, amountDue: 3831n });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => voidInvoice(deps, { invoiceId, reason: "A test", ...by })),
    );
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "void", amountDue: 0n });
    expect(await balancesOf(merchantId)).toEqual({ ...before, receivable: 0n, revenue: 0n, tax: 0n });
    expect(await eventsOf(invoiceId)).toEqual(["invoice.finalized", "invoice.voided"]);
    const { invoiceId: next } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(next)).toMatchObject({ prepaidApplied: 2000n });
  });

  test("voiding is refused for drafts and after a payment or credit note", async () => {
    const draft = await makeDraft(deps);
    const refused = (invoiceId: string) => refusalOf(voidInvoice(deps, { invoiceId, reason: "A test", ...by }));
    expect(await refused(draft.invoiceId)).toMatchObject({ code: "invoice_not_final" });
    expect(await refused("inv_none")).toMatchObject({ kind: "not_found" });
    const { invoiceId } = await makeFinalInvoice(deps);
    await credit(invoiceId, 1n);
    expect(await refused(invoiceId)).toMatchObject({ code: "invoice_has_payments" });
    await finishPayment(invoiceId, await startPayment(invoiceId, 5830n));
    expect(await refused(invoiceId)).toMatchObject({ code: "invoice_not_open" });
  });

  test("an uncollectible invoice is bad debt until it is paid", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    expect(await markUncollectible(deps, { invoiceId, reason: "Insolvent", ...by })).toEqual({ isNew: true });
    expect(await markUncollectible(deps, { invoiceId, reason: "Insolvent", ...by })).toEqual({ isNew: false });
    expect(await balancesOf(merchantId)).toMatchObject({ receivable: 0n, bad_debt: 5831n });
    await finishPayment(invoiceId, await startPayment(invoiceId, 5831n));
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", amountPaid: 5831n, amountDue: 0n });
    expect(await balancesOf(merchantId)).toMatchObject({ receivable: 0n, bad_debt: 0n, processor_clearing: 5831n });
  });

  test("a payment is first pending, and then posted once or voided; an excess amount becomes credit balance", async () => {
    const { invoiceId, merchantId } = await makeFinalInvoice(deps);
    const failed = await startPayment(invoiceId, 5831n);
    expect(await balancesOf(merchantId)).toMatchObject({
      receivable: [5831n, -5831n],
      processor_clearing: [0n, 5831n],
    });
    const voided = { kind: "payment", source: failed.source, state: "voided", at: deps.clock.now() } as const;
    expect(await settleLedgerTransaction(deps.db.sql, voided)).toBe(true);
    expect(await finishPayment(invoiceId, failed)).toBe(false);
    expect(await balancesOf(merchantId)).toMatchObject({ receivable: 5831n, processor_clearing: 0n });
    const payment = await startPayment(invoiceId, 5831n);
    await credit(invoiceId, 1000n);
    const settled = await Promise.all(Array.from({ length: 5 }, () => finishPayment(invoiceId, payment)));
    expect(settled.filter(Boolean)).toHaveLength(1);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "paid", amountPaid: 4641n, amountCredited: 1190n });
    expect(await balancesOf(merchantId)).toMatchObject({
      receivable: 0n,
      processor_clearing: 5831n,
      customer_credit: -1190n,
    });
  });
});

describe("credits (docs/spec/billing.md, Credits)", () => {
  const grant = (merchantId: string, change: Partial<Parameters<typeof grantCredit>[1]> = {}) =>
    grantCredit(deps, {
      merchantId,
      kind: "prepaid",
      currency: "EUR",
      amountMinor: 500n,
      priority: 0,
      expiresAt: null,
      key: "k",
      reason: "paid",
      ...by,
      ...change,
    });

  test("are granted once per key; a different grant with the same key is refused", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const grants = await Promise.all(Array.from({ length: 5 }, () => grant(merchantId)));
    expect(grants.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await balancesOf(merchantId)).toEqual({ cash: 500n, prepaid: -500n });
    const expiresAt = new Date(deps.clock.now().getTime() + 86_400_000);
    for (const change of [{ amountMinor: 501n }, { kind: "promotional" as const }, { priority: 1 }, { expiresAt }]) {
      expect(await refusalOf(grant(merchantId, change))).toMatchObject({ code: "credit_conflict" });
    }
    await grant(merchantId, { expiresAt, key: "expiring" });
    expect((await grant(merchantId, { expiresAt, key: "expiring" })).isNew).toBe(false);
    expect(await refusalOf(grant(merchantId, { key: "expiring" }))).toMatchObject({ code: "credit_conflict" });
    for (const [change, pointer] of [
      [{ amountMinor: 0n }, "/amount"],
      [{ currency: "EUX" }, "/currency"],
      [{ expiresAt: deps.clock.now() }, "/expiresAt"],
      [{ key: "a b" }, "/key"],
      [{ reason: " " }, "/reason"],
    ] as const) {
      expect(await refusalOf(grant(merchantId, change))).toMatchObject({ pointers: [pointer] });
    }
  });

  test("expire once: the prepaid balance is reduced by the remaining amount, and no invoice uses an expired credit", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const expiresAt = new Date(deps.clock.now().getTime() + 3_600_000);
    await grant(merchantId, { expiresAt });
    await grant(merchantId, { expiresAt, kind: "promotional", amountMinor: 300n, key: "p" });
    deps.clock.advance(3600);
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(invoiceId)).toMatchObject({ prepaidApplied: 0n });
    const expired = await Promise.all([expireCredits(deps, { limit: 10 }), expireCredits(deps, { limit: 10 })]);
    expect(expired[0] + expired[1]).toBe(2);
    expect(await balancesOf(merchantId)).toMatchObject({ cash: 500n, prepaid: 0n, discounts: 0n, revenue: -5400n });
  });

  test("expire if voiding an invoice returns them after their expiry; the ledger entry names the credit as its source", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const expiresAt = new Date(deps.clock.now().getTime() + 3_600_000);
    const { grantId } = await grant(merchantId, { expiresAt, amountMinor: 10_000n });
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(invoiceId)).toMatchObject({ prepaidApplied: 5831n, status: "paid" });
    const { invoiceId: open } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(open)).toMatchObject({ prepaidApplied: 4169n, status: "open" });
    const { grantId: other } = await grant(merchantId, { expiresAt, amountMinor: 100n, key: "other" });
    deps.clock.advance(3600);
    expect(await expireCredits(deps, { limit: 10 })).toBe(1);
    await voidInvoice(deps, { invoiceId: open, reason: "A test", ...by });
    expect(await expireCredits(deps, { limit: 10 })).toBe(1);
    expect(await balancesOf(merchantId)).toMatchObject({ cash: 10_100n, prepaid: 0n });
    const filter = { account: "prepaid", currency: null, from: deps.clock.now(), to: null };
    const page = { limit: 10, after: null, before: null };
    const entries = await findLedgerEntries(deps.db.sql, merchantId, { ...filter, page });
    const expiries = entries.filter(({ sourceType }) => sourceType === "credit_grant");
    expect(new Set(expiries.map(({ sourceId, amount }) => `${sourceId} ${amount}`))).toEqual(
      new Set([`${other} 100`, `${grantId} 4169`]),
    );
  });

  test("expire even if the expiry of another credit fails", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const at = deps.clock.now();
    const expiresAt = (seconds: number) => new Date(at.getTime() + seconds * 1000);
    const { grantId } = await grant(merchantId, { expiresAt: expiresAt(1) });
    await grant(merchantId, { expiresAt: expiresAt(2), amountMinor: 300n, key: "next" });
    const source = { type: "credit_grant", id: `${grantId} 1` } as const;
    const nothing = [1n, -1n].map((amount) => ({ account: "cash" as const, currency: "EUR", amount }));
    await postTransaction(deps.db.sql, { merchantId, kind: "credit.expired", source, postings: nothing, at });
    deps.clock.advance(3600);
    expect(await expireCredits(deps, { limit: 10 })).toBe(1);
    expect(await balancesOf(merchantId)).toMatchObject({ cash: 800n, prepaid: -500n });
  });
});
