import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { findInvoiceSnapshot } from "../../data/billing/invoices/documents.ts";
import { findInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";
import { findLedgerBalances } from "../../data/billing/ledger/entries.ts";
import { insertTaxDetails } from "../../data/billing/tax-details/tax-details.ts";
import { billingInvariants } from "../../data/invariants/billing-invariants.ts";
import { newId } from "../../kernel/ids.ts";
import { grantCredit } from "../credits/grant-credit.ts";
import { eventContracts } from "../events/event-contracts.ts";
import { toExact } from "../rules/exact/exact.ts";
import { outOfScope } from "../rules/plans/tax-rate.wire.ts";
import { decideTaxStatus } from "./decide-tax-status.ts";
import { finalizeInvoice } from "./finalize-invoice.ts";
import { inputOf, makeDraft, makeFinalInvoice, standardTax, storeTestDraft } from "./invoice.fixture.ts";
import { storeDraft } from "./store-draft.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-02T00:00:00Z") });
});
afterAll(async () => {
  for (const { name, find } of billingInvariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  await deps.close();
});

const rowOf = async (id: string) => {
  const row = await findInvoiceRow(deps.db.sql, id);
  if (!row) throw new Error("no invoice");
  return row;
};
const balancesOf = async (merchantId: string, currency = "EUR") =>
  Object.fromEntries(
    (await findLedgerBalances(deps.db.sql, merchantId, { account: null, currency })).map(({ account, posted }) => [
      account,
      posted,
    ]),
  );
const eventsOf = (objectId: string) =>
  deps.db.prisma.$queryRaw<{ type: string; sequence: number; data: object }[]>`
    SELECT type, sequence, data FROM event WHERE object_id = ${objectId} ORDER BY sequence`;
const auditOf = (subjectId: string) =>
  deps.db.prisma.$queryRaw<
    { action: string }[]
  >`SELECT action FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;

/** An invoice with a negative total, without tax. */
const creditOf = (amount: bigint) => ({
  flat: 0n,
  tax: outOfScope,
  refunds: [
    {
      meter: "tokens_issued",
      period: { from: new Date("2026-09-01T00:00:00Z"), to: new Date("2026-10-01T00:00:00Z") },
      exact: toExact(amount),
      quantity: 1n,
    },
  ],
});

describe("drafts (docs/spec/billing.md, Invoices)", () => {
  test("a draft has the computed amounts and lines, and no number", async () => {
    const { invoiceId } = await makeDraft(deps, { tokens: 101n });
    expect(await rowOf(invoiceId)).toMatchObject({
      status: "draft",
      number: null,
      subtotal: 4950n,
      tax: 940n,
      total: 5890n,
      amountDue: 5890n,
      taxes: [{ category: "S", rate: "19", base: "4950", amount: "940" }],
    });
    expect(await findInvoiceLineRows(deps.db.sql, invoiceId)).toMatchObject([
      { kind: "flat", position: 1, amount: 4900n, exact: "4900" },
      { kind: "usage", position: 2, amount: 50n, exact: "50.5", quantity: "101", meter: "tokens_issued" },
    ]);
    expect(await eventsOf(invoiceId)).toEqual([]);
  });

  test("storing a draft again refreshes it, and 10 concurrent callers store one draft", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const subject = { merchantId, subscriptionId: newId("sub") };
    const stored = await Promise.all(
      Array.from({ length: 10 }, (_, tokens) => storeTestDraft(deps, { ...subject, tokens: BigInt(2 * tokens) })),
    );
    const ids = new Set(stored.map((draft) => (draft.outcome === "stored" ? draft.invoiceId : draft.outcome)));
    expect(ids.size).toBe(1);
    const { invoiceId } = await makeDraft(deps, { ...subject, tokens: 1000n });
    expect(ids).toEqual(new Set([invoiceId]));
    expect(await rowOf(invoiceId)).toMatchObject({ subtotal: 5400n, lineCount: 2 });
  });

  test("an invoice without lines isn't stored, and a draft that no longer has lines is deleted", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const subject = { merchantId, subscriptionId: newId("sub") };
    expect(await storeTestDraft(deps, { ...subject, flat: 0n })).toMatchObject({ outcome: "nothing_to_bill" });
    const { invoiceId } = await makeDraft(deps, subject);
    expect(await storeTestDraft(deps, { ...subject, flat: 0n })).toMatchObject({ outcome: "nothing_to_bill" });
    expect(await findInvoiceRow(deps.db.sql, invoiceId)).toBeNull();
  });

  test("a final invoice isn't computed again", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const subject = { merchantId, subscriptionId: newId("sub") };
    const { invoiceId } = await makeFinalInvoice(deps, subject);
    expect(await storeTestDraft(deps, { ...subject, flat: 1n })).toMatchObject({ outcome: "final", invoiceId });
    expect((await rowOf(invoiceId)).subtotal).toBe(4900n);
  });
});

describe("finalizing (docs/spec/billing.md, Invoices)", () => {
  test("writes a number, a due date, a snapshot, ledger entries, an audit entry and an event", async () => {
    const { invoiceId, merchantId } = await makeDraft(deps);
    const result = await finalizeInvoice(deps, { invoiceId });
    expect(result).toMatchObject({ outcome: "finalized", status: "open" });
    const row = await rowOf(invoiceId);
    expect(row.number).toMatch(/^TEST-INV-2026-\d{6}$/);
    expect(row).toMatchObject({ status: "open", issuedAt: deps.clock.now(), dueAt: new Date("2026-11-16T00:00:00Z") });
    expect((await findInvoiceSnapshot(deps.db.sql, invoiceId))?.snapshot).toMatchObject({
      seller: { name: expect.any(String), country: expect.any(String) },
      buyer: null,
      invoice: { number: row.number, total: 5831, lines: [{ amount: 4900 }] },
    });
    expect(await balancesOf(merchantId)).toEqual({ receivable: 5831n, revenue: -4900n, tax: -931n });
    expect(await auditOf(invoiceId)).toEqual([{ action: "invoice.finalized" }]);
    const [event, ...more] = await eventsOf(invoiceId);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: "invoice.finalized",
      sequence: 1,
      data: { merchant_id: merchantId, total: 5831 },
    });
    const contract = eventContracts.find(({ type }) => type === "invoice.finalized");
    expect(Object.keys(event?.data ?? {}).toSorted()).toEqual(
      Object.keys((contract?.example["data"] ?? {}) as object).toSorted(),
    );
  });

  test("happens once: if 10 concurrent callers finalize the draft, one succeeds and the others get its number", async () => {
    const { invoiceId, merchantId } = await makeDraft(deps);
    const results = await Promise.all(Array.from({ length: 10 }, () => finalizeInvoice(deps, { invoiceId })));
    expect(results.filter(({ outcome }) => outcome === "finalized")).toHaveLength(1);
    expect(new Set(results.map((one) => ("number" in one ? one.number : one.outcome))).size).toBe(1);
    expect(await balancesOf(merchantId)).toMatchObject({ receivable: 5831n });
    expect(await eventsOf(invoiceId)).toHaveLength(1);
  });

  test("60 parallel finalizations, of which 10 fail, give 50 numbers without a gap", async () => {
    const other = await createTestDeps({ now: new Date("2031-01-02T00:00:00Z") });
    try {
      const drafts = await Promise.all(Array.from({ length: 60 }, () => makeDraft(other)));
      const results = await Promise.allSettled(
        drafts.map(({ invoiceId }, index) =>
          finalizeInvoice(other, {
            invoiceId,
            refresh: async () => {
              if (index % 6 === 5) throw new Error("the process ends here");
            },
          }),
        ),
      );
      const numbers = results.flatMap((one) =>
        one.status === "fulfilled" && "number" in one.value ? [one.value.number] : [],
      );
      expect(numbers.toSorted()).toEqual(
        Array.from({ length: 50 }, (_, index) => `TEST-INV-2031-${String(index + 1).padStart(6, "0")}`),
      );
    } finally {
      await other.close();
    }
  });

  test("a rollback after the number was assigned leaves no gap and no records", async () => {
    const { invoiceId, merchantId } = await makeDraft(deps);
    const [before] = await deps.db.prisma.$queryRaw<
      { last: bigint }[]
    >`SELECT last FROM billing_number WHERE series = 'TEST-INV' AND year = 2026`;
    await deps.db.prisma.$executeRawUnsafe(
      `CREATE FUNCTION fail_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$;`,
    );
    await deps.db.prisma.$executeRawUnsafe(
      "CREATE TRIGGER fail_event BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION fail_event()",
    );
    await expect(finalizeInvoice(deps, { invoiceId })).rejects.toThrow("killed");
    await deps.db.prisma.$executeRawUnsafe("DROP TRIGGER fail_event ON event");
    const [after] = await deps.db.prisma.$queryRaw<
      { last: bigint }[]
    >`SELECT last FROM billing_number WHERE series = 'TEST-INV' AND year = 2026`;
    expect(after).toEqual(before);
    expect(await rowOf(invoiceId)).toMatchObject({ status: "draft", number: null });
    expect(await balancesOf(merchantId)).toEqual({});
    expect(await finalizeInvoice(deps, { invoiceId })).toMatchObject({ outcome: "finalized" });
  });

  test("refreshes the draft in the same transaction", async () => {
    const { invoiceId } = await makeDraft(deps);
    const refresh: Parameters<typeof finalizeInvoice>[1]["refresh"] = async (sql, draft) => {
      const subject = { merchantId: draft.merchantId, subscriptionId: draft.subscriptionId ?? "" };
      const period = { from: draft.periodFrom, to: draft.periodTo };
      const plan = { id: draft.planId, version: draft.planVersion };
      const input = inputOf({ flat: 1000n });
      await storeDraft(sql, { ...subject, kind: draft.kind, period, plan, input, at: deps.clock.now() });
    };
    await finalizeInvoice(deps, { invoiceId, refresh });
    expect(await rowOf(invoiceId)).toMatchObject({ subtotal: 1000n, total: 1190n, status: "open" });
  });

  test("uses the credit balance, then prepaid credits, and sets the status to paid if no amount is due", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const prepaid = { kind: "prepaid", currency: "EUR", amountMinor: 5000n, priority: 0, expiresAt: null } as const;
    const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
    await grantCredit(deps, { ...prepaid, merchantId, key: "1", reason: "paid by transfer", ...by });
    for (const amount of [-1000n, -300n]) await makeFinalInvoice(deps, { merchantId, ...creditOf(amount) });
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
    expect(await rowOf(invoiceId)).toMatchObject({
      total: 5831n,
      creditApplied: 1300n,
      prepaidApplied: 4531n,
      amountDue: 0n,
      status: "paid",
    });
    const grants = await deps.db.prisma.$queryRaw<{ remaining: bigint }[]>`
      SELECT remaining FROM billing_credit_grant WHERE merchant_id = ${merchantId} ORDER BY granted`;
    expect(grants.map(({ remaining }) => remaining)).toEqual([0n, 0n, 469n]);
    expect(await balancesOf(merchantId)).toEqual({
      customer_credit: 0n,
      prepaid: -469n,
      cash: 5000n,
      revenue: -3600n,
      tax: -931n,
    });
    expect((await eventsOf(invoiceId)).map(({ type }) => type)).toEqual(["invoice.finalized", "invoice.paid"]);
  });

  test("parallel invoices of one merchant never use a credit twice", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const drafts = await Promise.all(Array.from({ length: 5 }, () => makeDraft(deps, { merchantId })));
    const { invoiceId } = await makeFinalInvoice(deps, { merchantId, ...creditOf(-7000n), tax: standardTax });
    expect(await rowOf(invoiceId)).toMatchObject({
      subtotal: -7000n,
      tax: -1330n,
      total: 0n,
      toCreditBalance: 8330n,
      status: "paid",
    });
    expect(await balancesOf(merchantId)).toEqual({ customer_credit: -8330n, revenue: 7000n, tax: 1330n });
    await Promise.all(drafts.map((draft) => finalizeInvoice(deps, draft)));
    const rows = await Promise.all(drafts.map((draft) => rowOf(draft.invoiceId)));
    expect(rows.map(({ creditApplied }) => creditApplied).toSorted()).toEqual([0n, 0n, 0n, 2499n, 5831n]);
    expect(await balancesOf(merchantId)).toMatchObject({ customer_credit: 0n, receivable: 5n * 5831n - 8330n });
  });
});

describe("tax details before finalizing (docs/spec/billing.md, Tax details)", () => {
  const details = {
    version: 1,
    legalName: "A GmbH",
    line1: "B 1",
    line2: null,
    postalCode: "10115",
    city: "Berlin",
    country: "DE",
    vatNumber: null,
  };

  test("in production, a draft waits for tax details, and must be refreshed if they are newer than the draft", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const { invoiceId, merchantId } = await makeDraft(deps);
    const decideFrom = new Date("2026-11-09T00:00:00Z");
    expect(await finalizeInvoice(production, { invoiceId })).toEqual({ outcome: "awaits_tax_details", decideFrom });
    deps.clock.advance(3600);
    expect(await finalizeInvoice(production, { invoiceId })).toEqual({ outcome: "awaits_tax_details", decideFrom });
    await insertTaxDetails(deps.db.sql, merchantId, { ...details, taxRegion: "DE", createdAt: deps.clock.now() });
    expect(await finalizeInvoice(production, { invoiceId })).toEqual({ outcome: "draft_outdated" });
    const refreshed = await finalizeInvoice(production, { invoiceId, refresh: async () => {} });
    expect(refreshed).toMatchObject({ outcome: "finalized", number: "INV-2026-000001" });
    expect((await findInvoiceSnapshot(deps.db.sql, invoiceId))?.snapshot).toMatchObject({
      buyer: { version: 1, name: "A GmbH", country: "DE" },
    });
  });

  test("an operator can decide after 7 days, but not earlier", async () => {
    const production = { ...deps, config: { ...deps.config, environment: "production" as const } };
    const { invoiceId } = await makeDraft(deps);
    const decide = () => {
      const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
      return decideTaxStatus(deps, { invoiceId, reason: "The merchant doesn't answer", ...by });
    };
    expect(await refusalOf(decide())).toMatchObject({ code: "tax_wait_not_over" });
    await finalizeInvoice(production, { invoiceId });
    deps.clock.advance(7 * 86_400 - 1);
    expect(await refusalOf(decide())).toMatchObject({ code: "tax_wait_not_over" });
    deps.clock.advance(1);
    expect(await decide()).toEqual({ isNew: true });
    expect(await decide()).toEqual({ isNew: false });
    expect(await finalizeInvoice(production, { invoiceId })).toMatchObject({ outcome: "finalized" });
    expect(await auditOf(invoiceId)).toEqual([
      { action: "invoice.tax_status_decided" },
      { action: "invoice.finalized" },
    ]);
  });

  test("without an issuer, invoices stay drafts", async () => {
    const { invoiceId } = await makeDraft(deps);
    const config = { ...deps.config, billingIssuer: null };
    expect(await finalizeInvoice({ ...deps, config }, { invoiceId })).toEqual({ outcome: "no_issuer" });
    expect(await rowOf(invoiceId)).toMatchObject({ status: "draft" });
  });
});
