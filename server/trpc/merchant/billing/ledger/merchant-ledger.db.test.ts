import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { grantCredit } from "../../../../billing/credits/grant-credit.ts";
import { makeFinalInvoice } from "../../../../billing/invoices/invoice.fixture.ts";
import { exportLedger } from "../../../../billing/ledger/export-ledger.ts";
import { listLedger } from "../../../../billing/ledger/list-ledger.ts";
import { readLedgerStatement } from "../../../../billing/ledger/read-statement.ts";
import { findPostings } from "../../../../data/billing/ledger/transactions.ts";
import type { Sql, SqlValue, Statement } from "../../../../data/client.ts";
import { newId } from "../../../../kernel/ids.ts";
import { callerOf } from "../../../caller.fixture.ts";
import { makeMember } from "../../merchant-tenant.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test" } as const;
const credit = { kind: "prepaid", currency: "EUR", priority: 0, expiresAt: null, reason: "paid by transfer" } as const;

const apiOf = async (merchantId: string) => callerOf(deps, await makeMember(deps, merchantId, "viewer")).merchantLedger;

/** A merchant whose invoice of 58.31 EUR was covered by a prepaid credit of 100 EUR. */
const makeCovered = async () => {
  const { id: merchantId } = await makeMerchant(deps);
  await grantCredit(deps, { ...credit, merchantId, amountMinor: 10_000n, key: "first", ...by });
  deps.clock.advance(1);
  const { invoiceId } = await makeFinalInvoice(deps, { merchantId });
  return { merchantId, invoiceId, api: await apiOf(merchantId) };
};

/** Dependencies that simulate concurrent changes: after each query for entries, another transaction does `work`. */
const interrupted = (work: () => Promise<void>): Pick<TestDeps, "db"> => {
  const { db } = deps;
  const around = (sql: Sql): Sql => ({
    async query<Row>(one: Statement<Row>, values: readonly SqlValue[]) {
      const rows = await sql.query(one, values);
      if (one.name.startsWith("ledger_entries")) await work();
      return rows;
    },
  });
  return {
    db: {
      ...db,
      sql: around(db.sql),
      sqlTransaction: (run, options) => db.sqlTransaction((sql) => run(around(sql)), options),
    },
  };
};

describe("ledger statement of a merchant (docs/spec/billing.md, Merchant pages)", () => {
  test("each entry has its account's balance after the entry, and the invoice that the entry is for", async () => {
    const { merchantId, invoiceId, api } = await makeCovered();
    const { entries, balances } = await api.statement({ merchantId, account: "prepaid" });
    expect(entries.map(({ amountMinor, balanceMinor }) => [amountMinor, balanceMinor])).toEqual([
      [5831, -4169],
      [-10_000, -10_000],
    ]);
    expect(entries.map(({ source, invoice }) => [source.type, invoice?.id])).toEqual([
      ["invoice", invoiceId],
      ["credit_grant", undefined],
    ]);
    expect(balances).toEqual([{ account: "prepaid", currency: "EUR", postedMinor: -4169, pendingMinor: 0 }]);
  });

  test("an entry has the same balance on later pages and in a range that ends earlier", async () => {
    const { merchantId, api } = await makeCovered();
    const all = (await api.statement({ merchantId })).entries;
    const paged = [];
    for (let startingAfter: string | undefined; ; ) {
      const { entries, hasMore } = await api.statement({ merchantId, limit: 1, startingAfter });
      paged.push(...entries);
      startingAfter = entries.at(-1)?.id;
      if (!hasMore) break;
    }
    expect(paged).toEqual(all);
    const oldest = all.filter(({ effectiveAt }) => effectiveAt === all.at(-1)?.effectiveAt);
    const to = new Date(new Date(oldest[0]?.effectiveAt ?? "").getTime() + 1).toISOString();
    expect((await api.statement({ merchantId, to })).entries).toEqual(oldest);
  });

  test("entries of one instant are in the order of posting, also on pages and when read backwards", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const amounts = Array.from({ length: 12 }, (_, index) => BigInt(index + 1));
    for (const amountMinor of amounts) {
      await grantCredit(deps, { ...credit, merchantId, amountMinor, key: newId("req"), ...by });
    }
    const api = await apiOf(merchantId);
    const { entries } = await api.statement({ merchantId, account: "prepaid" });
    expect(new Set(entries.map(({ effectiveAt }) => effectiveAt)).size).toBe(1);
    expect(entries.map(({ amountMinor }) => -amountMinor)).toEqual(amounts.map(Number).toReversed());
    expect(entries.map(({ balanceMinor }) => -balanceMinor)).toEqual([78, 66, 55, 45, 36, 28, 21, 15, 10, 6, 3, 1]);

    const paged = [];
    for (let startingAfter: string | undefined; ; ) {
      const page = await api.statement({ merchantId, account: "prepaid", limit: 5, startingAfter });
      paged.push(...page.entries);
      startingAfter = page.entries.at(-1)?.id;
      if (!page.hasMore) break;
    }
    expect(paged).toEqual(entries);

    const all = { merchantId, account: "prepaid", currency: null, from: null, to: null, startingAfter: null };
    const backwards: string[] = [];
    for (let endingBefore = entries.at(-1)?.id ?? ""; ; ) {
      const page = await listLedger(deps, { ...all, limit: 5, endingBefore });
      backwards.unshift(...page.entries.map(({ id }) => id));
      endingBefore = backwards[0] ?? "";
      if (!page.hasMore) break;
    }
    expect(backwards).toEqual(entries.slice(0, -1).map(({ id }) => id));
  });

  test("the entries of one transaction are in the order in which it lists them", async () => {
    const { merchantId, invoiceId } = await makeCovered();
    const posted = await findPostings(deps.db.sql, "invoice.finalized", { type: "invoice", id: invoiceId });
    expect(posted.map(({ account }) => account)).toEqual(["prepaid", "tax", "revenue"]);
    const { entries } = await (await apiOf(merchantId)).statement({ merchantId });
    const listed = entries.filter(({ source }) => source.type === "invoice").map(({ account }) => account);
    expect(listed).toEqual(["revenue", "tax", "prepaid"]);
  });

  test("the file has the rows of the page, with the same balances", async () => {
    const { merchantId, invoiceId } = await makeCovered();
    let csv = "";
    const filter = { merchantId, account: "prepaid", currency: null, from: null, to: null } as const;
    for await (const part of exportLedger(deps, filter)) csv += part;
    const rows = csv
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(","));
    expect(rows.map((row) => [row[4], row[6], row[7], row[10]])).toEqual([
      ["debit", "58.31", "-41.69", invoiceId],
      ["credit", "100.00", "-100.00", rows[1]?.[10]],
    ]);
  });

  test("an amount that is posted while the page or file is read changes neither entries nor balances", async () => {
    const { merchantId } = await makeCovered();
    const filter = { merchantId, account: "prepaid", currency: null, from: null, to: null } as const;
    const grant = async () => {
      deps.clock.advance(1);
      await grantCredit(deps, { ...credit, merchantId, amountMinor: 700n, key: newId("req"), ...by });
    };
    const pageOf = async (reader: Pick<TestDeps, "db">) => {
      const { entries, balances } = await readLedgerStatement(reader, { ...filter, limit: 10, startingAfter: null });
      return [entries.map(({ balance }) => balance), balances.map(({ posted }) => posted)];
    };
    const before = await pageOf(deps);
    expect(await pageOf(interrupted(grant))).toEqual(before);
    let csv = "";
    for await (const part of exportLedger(interrupted(grant), filter)) csv += part;
    const rows = csv.trimEnd().split("\r\n").slice(1);
    expect(rows.map((row) => row.split(",")[7])).toEqual(["-48.69", "-41.69", "-100.00"]);
  });

  test("another merchant's entry is refused as a cursor, and that merchant's entries aren't listed", async () => {
    const { merchantId, api } = await makeCovered();
    const [entry] = (await api.statement({ merchantId })).entries;
    const { id: otherId } = await makeMerchant(deps);
    const other = await apiOf(otherId);
    expect((await other.statement({ merchantId: otherId })).entries).toEqual([]);
    await expect(other.statement({ merchantId: otherId, startingAfter: entry?.id })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });
});

describe("credits of a merchant (docs/spec/billing.md, Merchant pages)", () => {
  test("a credit has its remaining amount and the invoices that used it", async () => {
    const { merchantId, invoiceId, api } = await makeCovered();
    const { credits } = await api.credits({ merchantId });
    expect(credits).toMatchObject([
      { kind: "prepaid", grantedMinor: 10_000, remainingMinor: 4169, uses: [{ amountMinor: 5831, invoiceId }] },
    ]);
    const { id: otherId } = await makeMerchant(deps);
    expect((await (await apiOf(otherId)).credits({ merchantId: otherId })).credits).toEqual([]);
  });
});
