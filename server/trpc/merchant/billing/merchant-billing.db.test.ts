import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeDraft, makeFinalInvoice } from "../../../billing/invoices/invoice.fixture.ts";
import {
  applyPlans,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../../../billing/subscriptions/subscription.fixture.ts";
import { findInvoiceLineRows } from "../../../data/billing/invoices/lines.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { callerOf } from "../../caller.fixture.ts";
import { makeMember } from "../merchant-tenant.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await applyPlans(deps, testPlans(dayIn("UTC", deps.clock.now())));
});
afterAll(() => deps.close());

const apiOf = async (merchantId: string) =>
  callerOf(deps, await makeMember(deps, merchantId, "viewer")).merchantBilling;

const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

describe("invoices of a merchant (docs/spec/billing.md, Merchant pages)", () => {
  test("the list is filtered by status and currency, and paged", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const api = await apiOf(merchantId);
    const made = [];
    for (const currency of ["EUR", "USD", "EUR"]) {
      made.push((await makeDraft(deps, { merchantId, currency })).invoiceId);
      deps.clock.advance(1);
    }
    const idsOf = ({ invoices }: { invoices: { id: string }[] }) => invoices.map(({ id }) => id);
    expect(idsOf(await api.invoices({ merchantId }))).toEqual(made.toReversed());
    expect(idsOf(await api.invoices({ merchantId, currency: "USD" }))).toEqual([made[1]]);
    expect(idsOf(await api.invoices({ merchantId, status: "open" }))).toEqual([]);
    const first = await api.invoices({ merchantId, limit: 2 });
    expect(first.hasMore).toBe(true);
    const second = await api.invoices({ merchantId, limit: 2, startingAfter: made[1] });
    expect([idsOf(second), second.hasMore]).toEqual([[made[0]], false]);
  });

  test("an invoice has its lines with exact amounts, its tax and its total", async () => {
    const { merchantId, invoiceId } = await makeDraft(deps, { tokens: 3n });
    const invoice = await (await apiOf(merchantId)).invoice({ merchantId, invoiceId });
    expect(invoice.lines.map(({ quantity, exact, amountMinor }) => [quantity, exact, amountMinor])).toEqual([
      ["1", "4900", 4900],
      ["3", "1.5", 2],
    ]);
    expect(invoice).toMatchObject({ subtotalMinor: 4902, totalMinor: 5833, taxes: [{ rate: "19", amountMinor: 931 }] });
  });

  test("an invoice that can’t have a UBL document gives the reason", async () => {
    const problemOf = async (of: { merchantId: string; invoiceId: string }) =>
      (await (await apiOf(of.merchantId)).invoice(of)).ublProblem;
    const issued = await makeFinalInvoice(deps, { tokens: 3n });
    expect(await problemOf(issued)).toBeNull();
    expect(await problemOf(await makeDraft(deps, { currency: "KWD" }))).toBeNull();
    expect(await problemOf(await makeFinalInvoice(deps, { currency: "KWD" }))).toContain("more than the two decimals");
    const line = `'{invoice,lines,0,tax,category}', '"O"'`;
    await deps.db.prisma.$executeRawUnsafe(`ALTER TABLE billing_invoice DISABLE TRIGGER billing_invoice_final`);
    await deps.db.prisma.$executeRawUnsafe(
      `UPDATE billing_invoice SET snapshot = jsonb_set(snapshot, ${line}) WHERE id = '${issued.invoiceId}'`,
    );
    await deps.db.prisma.$executeRawUnsafe(`ALTER TABLE billing_invoice ENABLE TRIGGER billing_invoice_final`);
    expect(await problemOf(issued)).toContain("outside the scope of VAT");
  });

  test("a member of another merchant finds neither the invoice nor the events of its lines", async () => {
    const { invoiceId } = await makeDraft(deps);
    const lineId = (await findInvoiceLineRows(deps.db.sql, invoiceId))[0]?.id ?? "";
    const { id: merchantId } = await makeMerchant(deps);
    const api = await apiOf(merchantId);
    expect(await refusalOf(api.invoice({ merchantId, invoiceId }))).toBe("NOT_FOUND");
    expect(await refusalOf(api.lineEvents({ merchantId, invoiceId, lineId }))).toBe("NOT_FOUND");
    expect(await refusalOf(api.invoices({ merchantId, startingAfter: invoiceId }))).toBe("BAD_REQUEST");
    expect((await api.invoices({ merchantId })).invoices).toEqual([]);
  });
});

describe("plan and usage of a merchant (docs/spec/billing.md, Merchant pages)", () => {
  test("a merchant without a subscription has no plan", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    expect(await (await apiOf(merchantId)).plan({ merchantId })).toBeNull();
  });

  test("the usage so far is priced, and currencies without costs are left out", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    await reportSms(deps, merchantId, { quantity: 7 });
    const usage = await (await apiOf(merchantId)).plan({ merchantId });
    expect(usage).toMatchObject({ plan: { id: "pro", version: 1 }, status: "active" });
    expect(usage?.costs.map(({ currency }) => currency)).toEqual(["EUR"]);
    expect(usage?.costs[0]?.lines.at(-1)).toMatchObject({ quantity: "7", exact: "14", amountMinor: 14 });
  });
});
