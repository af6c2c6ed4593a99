import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";

let deps: TestDeps;
let merchantId: string;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const run = (text: string) => deps.db.prisma.$executeRawUnsafe(text);
const script = (...statements: string[]) =>
  deps.db.transaction(async (tx) => {
    for (const text of statements) await tx.$executeRawUnsafe(text);
  });

let next = 0;
const insertInvoice = (id: string, changes: Record<string, string> = {}) => {
  const columns: Record<string, string> = {
    id: `'${id}'`,
    merchant_id: `'${merchantId}'`,
    subscription_id: `'sub_${id}'`,
    type: "'invoice'",
    kind: "'period'",
    status: "'draft'",
    currency: "'EUR'",
    period_from: "'2026-10-01Z'",
    period_to: "'2026-11-01Z'",
    plan_id: "'pro'",
    plan_version: "1",
    tax_behaviour: "'exclusive'",
    subtotal: "1000",
    discount: "0",
    tax: "190",
    total: "1190",
    credit_applied: "0",
    prepaid_applied: "0",
    to_credit_balance: "0",
    amount_credited: "0",
    amount_paid: "0",
    amount_due: "1190",
    discounts: "'[]'",
    taxes: "'[]'",
    line_count: "1",
    created_at: "now()",
    updated_at: "now()",
    ...changes,
  };
  return `INSERT INTO billing_invoice (${Object.keys(columns)}) VALUES (${Object.values(columns)})`;
};
const insertLine = (invoiceId: string, position = 1, amount = 1000) =>
  `INSERT INTO billing_invoice_line (id, invoice_id, position, kind, description, period_from, period_to, quantity, exact,
     priced_exact, amount, discount, net, tax_category, tax_rate, invoice_at, cut_off)
   VALUES ('il_${invoiceId}_${position}', '${invoiceId}', ${position}, 'flat', 'Pro', '2026-10-01Z', '2026-11-01Z', 1, ${amount},
     ${amount}, ${amount}, 0, ${amount}, 'S', 19, '2026-11-01Z', '2026-11-01Z')`;
const finalize = (id: string, set = "status = 'open'") =>
  `UPDATE billing_invoice SET ${set}, number = 'N-${id}', issued_at = now(), due_at = now(), snapshot = '{}' WHERE id = '${id}'`;

/** A final invoice with one line. */
const makeFinal = async (changes: Record<string, string> = {}): Promise<string> => {
  next += 1;
  const id = `inv_t${next}`;
  await script(insertInvoice(id, changes), insertLine(id), finalize(id));
  return id;
};

beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
});

describe("the database protects final invoices (docs/spec/billing.md, Invoices)", () => {
  test.each([
    [
      "a change of its amounts",
      "UPDATE billing_invoice SET subtotal = 999, total = 1189, amount_due = 1189 WHERE id = $",
    ],
    ["a change of its number", "UPDATE billing_invoice SET number = 'other' WHERE id = $"],
    ["a change of its snapshot", `UPDATE billing_invoice SET snapshot = '{"a":1}' WHERE id = $`],
    ["a change of its merchant", "UPDATE billing_invoice SET merchant_id = 'mch_other' WHERE id = $"],
    ["a return to draft", "UPDATE billing_invoice SET status = 'draft' WHERE id = $"],
    ["its deletion", "DELETE FROM billing_invoice WHERE id = $"],
    ["a change of a line's amount", "UPDATE billing_invoice_line SET amount = 1 WHERE invoice_id = $"],
    ["a change of a line's text", "UPDATE billing_invoice_line SET description = 'x' WHERE invoice_id = $"],
    ["the deletion of a line", "DELETE FROM billing_invoice_line WHERE invoice_id = $"],
  ])("refuses, for a final invoice: %s", async (_, text) => {
    const id = await makeFinal();
    await expect(run(text.replace("$", `'${id}'`))).rejects.toThrow(/is final|cannot be changed/);
    const [row] = await deps.db.prisma.$queryRawUnsafe<{ total: bigint; lines: bigint }[]>(
      `SELECT total, (SELECT count(*) FROM billing_invoice_line WHERE invoice_id = i.id) AS lines FROM billing_invoice i WHERE id = '${id}'`,
    );
    expect(row).toEqual({ total: 1190n, lines: 1n });
  });

  test("refuses the commit if an invoice's amount isn't the sum of its lines, even if only a line was added", async () => {
    const id = await makeFinal();
    await expect(run(insertLine(id, 2, 5))).rejects.toThrow("is not the sum of its lines");
    await expect(script(insertInvoice("inv_sum"), insertLine("inv_sum", 1, 999))).rejects.toThrow("sum of its lines");
  });

  test("permits only the documented transitions of an invoice", async () => {
    const id = await makeFinal();
    await run(`UPDATE billing_invoice SET status = 'uncollectible', closed_at = now() WHERE id = '${id}'`);
    await expect(
      run(`UPDATE billing_invoice SET status = 'open', closed_at = NULL WHERE id = '${id}'`),
    ).rejects.toThrow("is final");
    await run(`UPDATE billing_invoice SET status = 'paid', amount_paid = 1190, amount_due = 0 WHERE id = '${id}'`);
    await expect(run(`UPDATE billing_invoice SET status = 'void' WHERE id = '${id}'`)).rejects.toThrow("is final");
    await run(`UPDATE billing_invoice SET pdf_sha256 = repeat('a', 64) WHERE id = '${id}'`);
    await expect(run(`UPDATE billing_invoice SET pdf_sha256 = repeat('b', 64) WHERE id = '${id}'`)).rejects.toThrow(
      "is final",
    );
  });

  test("refuses to truncate any of the tables", async () => {
    for (const table of [
      "billing_number",
      "billing_tax_details",
      "billing_invoice",
      "billing_invoice_line",
      "billing_credit_grant",
      "billing_credit_use",
      "billing_ledger_transaction",
      "billing_ledger_entry",
    ]) {
      await expect(run(`TRUNCATE ${table} CASCADE`), table).rejects.toThrow("append-only");
    }
  });

  test("permits only one invoice per subscription, period, currency and kind; void invoices don't count", async () => {
    const subject = { subscription_id: "'sub_once'" };
    const id = await makeFinal(subject);
    const overlapping = { ...subject, period_from: "'2026-10-31Z'", period_to: "'2026-12-01Z'" };
    await expect(makeFinal(overlapping)).rejects.toThrow("billing_invoice_once");
    await makeFinal({ ...subject, period_from: "'2026-11-01Z'", period_to: "'2026-12-01Z'" });
    await makeFinal({ ...subject, currency: "'USD'" });
    await makeFinal({ ...subject, kind: "'change'" });
    await run(`UPDATE billing_invoice SET status = 'void', amount_due = 0, closed_at = now() WHERE id = '${id}'`);
    await makeFinal(subject);
  });

  test("invoice numbers count up by one, and a version of tax details can’t be changed", async () => {
    await run("INSERT INTO billing_number VALUES ('T', 2026, 1)");
    await expect(run("UPDATE billing_number SET last = 3 WHERE series = 'T'")).rejects.toThrow("count up by one");
    await expect(run("DELETE FROM billing_number WHERE series = 'T'")).rejects.toThrow("append-only");
    await run("UPDATE billing_number SET last = 2 WHERE series = 'T'");
    await run(
      `INSERT INTO billing_tax_details VALUES ('${merchantId}', 1, 'A', 'B 1', NULL, '1', 'C', 'DE', NULL, NULL, now())`,
    );
    await expect(run("UPDATE billing_tax_details SET city = 'X'")).rejects.toThrow("append-only");
  });
});

describe("the database keeps the ledger balanced (docs/spec/billing.md, Ledger)", () => {
  const post = (id: string, amounts: readonly (readonly [string, string, number])[], state = "posted") =>
    script(
      `INSERT INTO billing_ledger_transaction VALUES ('${id}', '${merchantId}', 'test', 'test', '${id}', '${state}', ${amounts.length},
        now(), ${state === "pending" ? "NULL" : "now()"})`,
      ...amounts.map(
        ([account, currency, amount], index) =>
          `INSERT INTO billing_ledger_entry VALUES ('${id}_${index}', '${id}', '${merchantId}', '${account}', '${currency}', ${amount}, now())`,
      ),
    );

  test("refuses the commit of a transaction that doesn't sum to zero in each currency", async () => {
    const unbalanced = [
      ["receivable", "EUR", 5],
      ["revenue", "EUR", -4],
    ] as const;
    await expect(post("ltx_1", unbalanced)).rejects.toThrow("does not sum to zero");
    const crossed = [
      ["receivable", "EUR", 5],
      ["revenue", "USD", -5],
    ] as const;
    await expect(post("ltx_2", crossed)).rejects.toThrow("does not sum to zero");
  });

  test("refuses to change or delete a posted transaction, or to add entries to it", async () => {
    const balanced = [
      ["receivable", "EUR", 5],
      ["revenue", "EUR", -5],
    ] as const;
    await post("ltx_3", balanced);
    const more = (account: string, amount: number) =>
      `INSERT INTO billing_ledger_entry VALUES ('e_${account}', 'ltx_3', '${merchantId}', '${account}', 'EUR', ${amount}, now())`;
    await expect(script(more("cash", 1), more("refunds", -1))).rejects.toThrow("other entries");
    for (const text of [
      "UPDATE billing_ledger_entry SET amount = amount * 2 WHERE transaction_id = 'ltx_3'",
      "DELETE FROM billing_ledger_entry WHERE transaction_id = 'ltx_3'",
      "DELETE FROM billing_ledger_transaction WHERE id = 'ltx_3'",
      "UPDATE billing_ledger_transaction SET state = 'voided' WHERE id = 'ltx_3'",
      "UPDATE billing_ledger_transaction SET effective_at = now() + interval '1 day' WHERE id = 'ltx_3'",
    ]) {
      await expect(run(text), text).rejects.toThrow("append-only");
    }
  });

  test("permits one settlement of a pending transaction", async () => {
    const payment = [
      ["processor_clearing", "EUR", 5],
      ["receivable", "EUR", -5],
    ] as const;
    await post("ltx_4", payment, "pending");
    await run("UPDATE billing_ledger_transaction SET state = 'voided', settled_at = now() WHERE id = 'ltx_4'");
    await expect(run("UPDATE billing_ledger_transaction SET state = 'posted' WHERE id = 'ltx_4'")).rejects.toThrow(
      "append-only",
    );
  });
});
