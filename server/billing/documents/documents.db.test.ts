import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { runDueWork } from "../../sandbox/run-due-work.ts";
import { makeDraft, makeFinalInvoice } from "../invoices/invoice.fixture.ts";
import { getInvoice } from "../invoices/read/get-invoice.ts";
import { parseExact } from "../rules/exact/exact.ts";
import { makeCharge, makeRefund } from "../subscriptions/charge-rows.fixture.ts";
import {
  applyPlans,
  bill,
  change,
  forgetReconciliation,
  invoicesOf,
  makeSubscriber,
  reportSms,
  testPlans,
} from "../subscriptions/subscription.fixture.ts";
import { exportInvoiceCsv } from "./csv/export-invoice-csv.ts";
import { getIssuedInvoice } from "./get-issued-invoice.ts";
import { daysOf } from "./issued-invoice.ts";
import { drawInvoicePdf } from "./pdf/draw-invoice-pdf.ts";
import { drawIssuedPdfs } from "./pdf/draw-issued-pdfs.ts";
import { toUbl } from "./ubl/to-ubl.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-10-01T10:00:00Z") });
  await applyPlans(deps, testPlans("2026-10-01"));
});
beforeEach(() => forgetReconciliation(deps));
afterAll(() => deps.close());

const csvOf = async (wanted: { merchantId: string; invoiceId: string }): Promise<string[][]> => {
  let text = "";
  for await (const part of await exportInvoiceCsv(deps, wanted)) text += part;
  return text
    .trimEnd()
    .split("\r\n")
    .map((row) => row.split(","));
};

describe("the documents of an invoice (docs/spec/billing.md, Documents)", () => {
  test("the PDF has the same bytes each time, and its hash is stored", async () => {
    const wanted = await makeFinalInvoice(deps);
    const bytes = await drawInvoicePdf(deps, wanted);
    expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe("%PDF-");
    const { document } = await getInvoice(deps, wanted);
    expect(document.pdfSha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(Buffer.from(await drawInvoicePdf(deps, wanted)).equals(Buffer.from(bytes))).toBe(true);
  });

  test("the job stores the hash of each issued PDF, even if another PDF can't be drawn", async () => {
    const [first, second] = [await makeFinalInvoice(deps), await makeFinalInvoice(deps)];
    await deps.db.prisma.$executeRaw`ALTER TABLE billing_invoice DISABLE TRIGGER billing_invoice_final`;
    await deps.db.prisma
      .$executeRaw`UPDATE billing_invoice SET snapshot = snapshot - 'seller' WHERE id = ${first.invoiceId}`;
    await deps.db.prisma.$executeRaw`ALTER TABLE billing_invoice ENABLE TRIGGER billing_invoice_final`;
    await drawIssuedPdfs(deps, { limit: 100 });
    expect((await getInvoice(deps, first)).document.pdfSha256).toBeNull();
    expect((await getInvoice(deps, second)).document.pdfSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await drawIssuedPdfs(deps, { limit: 100 })).toBe(0);
  });

  test("show the plan, a merchant without tax details, and the period in the subscription's time zone", async () => {
    const merchantId = await makeSubscriber(deps, "pro", { timeZone: "America/New_York" });
    await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { legalName: "Żółw Sp.", country: "PL" } });
    deps.clock.set(new Date("2026-11-03T00:00:00Z"));
    await bill(deps);
    const [invoice] = await invoicesOf(deps, merchantId);
    const { issued } = await getIssuedInvoice(deps, { merchantId, invoiceId: invoice?.id ?? "" });
    expect(issued).toMatchObject({ planName: "Pro", customer: { name: "Żółw Sp.", country: "PL" } });
    expect(daysOf({ period: issued.invoice.period }, issued)).toEqual({ first: "2026-10-01", last: "2026-10-31" });
    expect(toUbl(issued)).toContain("<cbc:EndDate>2026-10-31<");
    deps.clock.set(new Date("2026-10-01T10:00:00Z"));
  });

  test("the UBL document has the number and the total of the issued invoice", async () => {
    const wanted = await makeFinalInvoice(deps);
    const { issued } = await getIssuedInvoice(deps, wanted);
    const xml = toUbl(issued);
    expect(xml).toContain(`<cbc:ID>${issued.invoice.number}</cbc:ID>`);
    expect(xml).toContain('<cbc:TaxInclusiveAmount currencyID="EUR">58.31</cbc:TaxInclusiveAmount>');
  });

  test("a draft has no PDF and no UBL document, and another merchant's invoice is not found", async () => {
    const draft = await makeDraft(deps);
    expect(await refusalOf(getIssuedInvoice(deps, draft))).toMatchObject({ code: "invoice_not_final" });
    const { invoiceId } = await makeFinalInvoice(deps);
    const foreign = { merchantId: draft.merchantId, invoiceId };
    for (const read of [getIssuedInvoice, exportInvoiceCsv])
      expect(await refusalOf(read(deps, foreign))).toMatchObject({ code: "not_found" });
  });

  test("the CSV has one row for each event, and the rows of each line sum to its amount", async () => {
    const merchantId = await makeSubscriber(deps, "pro");
    for (const quantity of [3, 4]) await reportSms(deps, merchantId, { quantity });
    deps.clock.set(new Date("2026-11-01T00:00:00Z"));
    await bill(deps);
    const [invoice] = await invoicesOf(deps, merchantId);
    const wanted = { merchantId, invoiceId: invoice?.id ?? "" };
    const [head, ...rows] = await csvOf(wanted);
    expect(head).toEqual(["line_id", "kind", "meter", "event_id", "time", "quantity", "exact"]);
    expect(
      rows.map(([, kind, meter, id, , quantity, exact]) => [kind, meter, id?.slice(0, 4), quantity, exact]),
    ).toEqual([
      ["flat", "", "", "1", "3100"],
      ["usage", "own:sms", "uev_", "3", "6"],
      ["usage", "own:sms", "uev_", "4", "8"],
    ]);
    const { document } = await getInvoice(deps, wanted);
    for (const line of document.lines) {
      const own = rows.filter(([id]) => id === line.id).map((row) => parseExact(row.at(-1) ?? ""));
      expect(own.reduce((sum, exact) => sum + exact, 0n)).toBe(line.amount * 10n ** 12n);
    }
  });

  test("late usage that the true-up covers has a separate row, and isn't in a rounding row", async () => {
    deps.clock.set(new Date("2026-10-01T10:00:00Z"));
    const merchantId = await makeSubscriber(deps, "minimum");
    await reportSms(deps, merchantId, { quantity: 400 });
    await runDueWork(deps, new Date("2026-11-02T00:00:00Z"));
    deps.clock.set(new Date("2026-11-03T00:00:00Z"));
    await reportSms(deps, merchantId, { quantity: 30, time: new Date("2026-10-15T12:00:00Z") });
    await reportSms(deps, merchantId, { quantity: 120, time: new Date("2026-10-15T12:00:01Z") });
    await runDueWork(deps, new Date("2026-12-02T00:00:00Z"));
    const [, second] = await invoicesOf(deps, merchantId);
    const rows = await csvOf({ merchantId, invoiceId: second?.id ?? "" });
    expect(rows.slice(1).map(([, kind, , id, , quantity, exact]) => [kind, id?.slice(0, 4), quantity, exact])).toEqual([
      ["late", "uev_", "30", "60"],
      ["late", "uev_", "120", "240"],
      ["adjustment", "", "", "-200"],
      ["true_up", "", "1", "1000"],
    ]);
  });

  test("if late usage of an earlier part changes the price of a later part's usage, this change has a separate row", async () => {
    deps.clock.set(new Date("2026-10-01T10:00:00Z"));
    const merchantId = await makeSubscriber(deps, "tenfree");
    await reportSms(deps, merchantId, { quantity: 4 });
    deps.clock.set(new Date("2026-10-05T10:00:00Z"));
    await change(deps, merchantId, { planId: "free" });
    deps.clock.set(new Date("2026-10-06T10:00:00Z"));
    await change(deps, merchantId, { planId: "tenfree" });
    await reportSms(deps, merchantId, { quantity: 10 });
    deps.clock.set(new Date("2026-10-20T00:00:00Z"));
    await change(deps, merchantId, { planId: "scale" });
    deps.clock.set(new Date("2026-10-25T00:00:00Z"));
    await bill(deps);
    await reportSms(deps, merchantId, { quantity: 5, time: new Date("2026-10-02T10:00:00Z") });
    await reportSms(deps, merchantId, { quantity: 3, time: new Date("2026-10-07T10:00:00Z") });
    deps.clock.set(new Date("2026-11-02T00:00:00Z"));
    await bill(deps);
    const last = (await invoicesOf(deps, merchantId)).at(-1);
    const rows = await csvOf({ merchantId, invoiceId: last?.id ?? "" });
    const late = rows.filter(([, kind]) => kind === "late" || kind === "rounding");
    expect(late.map(([, kind, , id, , quantity, exact]) => [kind, id?.slice(0, 4), quantity, exact])).toEqual([
      ["late", "uev_", "5", "0"],
      ["late", "uev_", "3", "300"],
      ["late", "", "", "500"],
    ]);
  });

  test("a line of refunded fees has one row for each refund, even with graduated rates and quarterly periods", async () => {
    deps.clock.set(new Date("2026-10-01T10:00:00Z"));
    const tiers = [{ up_to: 1_500, rate: "100" }, { rate: "33" }];
    const prices = { successful_charges: { model: "graduated_basis_points", tiers } };
    const quarterly = {
      name: "Quarterly",
      effective_from: "2026-10-01",
      interval: "quarter",
      currencies: { EUR: { prices } },
    };
    await applyPlans(deps, JSON.stringify({ catalogue: 1, plans: { quarterly } }));
    const merchantId = await makeSubscriber(deps, "quarterly");
    const october = new Date("2026-10-10T00:00:00Z");
    for (const amount of [1_000, 1_234]) {
      const chargeId = await makeCharge(deps, merchantId, { amount, finalAt: october });
      await makeRefund(deps, merchantId, { chargeId, amount: 500, givenAt: new Date("2026-12-20T00:00:00Z") });
    }
    deps.clock.set(new Date("2027-01-02T00:00:00Z"));
    await bill(deps);
    const [invoice] = await invoicesOf(deps, merchantId);
    const rows = await csvOf({ merchantId, invoiceId: invoice?.id ?? "" });
    const refunds = rows.filter(([, kind]) => kind === "refund");
    // For each refund, 500/2,234 of the fee for all charges is credited.
    const share = ((1_500 * 100 + 734 * 33) / 10_000) * (500 / 2_234);
    expect(refunds.map(([, , , id, , quantity]) => [id?.slice(0, 4), quantity])).toEqual([
      ["rfd_", "1"],
      ["rfd_", "1"],
    ]);
    for (const row of refunds) expect(Number(row.at(-1))).toBeCloseTo(-share, 9);
    const line = invoice?.lines.find(({ kind }) => kind === "refund");
    expect(Number(line?.exact)).toBeCloseTo(-2 * share, 9);
  });
});
