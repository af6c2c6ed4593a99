import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { insertTaxDetails } from "../../data/billing/tax-details/tax-details.ts";
import type { MemberRole } from "../../data/merchants/members.ts";
import { UnconfiguredProcessor } from "../../deps/processor-port.ts";
import { grantCredit } from "../credits/grant-credit.ts";
import { finalizeInvoice } from "../invoices/finalize-invoice.ts";
import { makeDraft } from "../invoices/invoice.fixture.ts";
import { setBillingPaymentMethod } from "./set-billing-payment-method.ts";

const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({
    now: new Date("2026-11-02T00:00:00Z"),
    processors: scriptedProcessor().processors,
    config: { simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" },
  });
});
afterAll(() => deps.close());

const join = async (merchantId: string, role: MemberRole) => {
  const { id: accountId } = await makePayer(deps);
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
  return `${accountId.toLowerCase()}@example.test`;
};
/** A draft of 58.31 EUR for a merchant with a team. `managers`: addresses of the merchant's owner and two admins. */
const makeTeamDraft = async () => {
  const { invoiceId, merchantId } = await makeDraft(deps);
  const managers = [await join(merchantId, "owner"), await join(merchantId, "admin"), await join(merchantId, "admin")];
  for (const role of ["developer", "viewer"] as const) await join(merchantId, role);
  return { invoiceId, merchantId, managers };
};
const mailsTo = async (recipients: string[]) =>
  deps.db.prisma.mail.findMany({ where: { recipient: { in: recipients } }, orderBy: { recipient: "asc" } });
const invoiceMails = (merchantId: string) =>
  deps.db.prisma.$queryRaw<{ recipient: string }[]>`
    SELECT l.recipient FROM mail l JOIN account a ON a.email = l.recipient
      JOIN merchant_member m ON m.account_id = a.id WHERE m.merchant_id = ${merchantId}`;

describe("the e-mail about a final invoice (docs/spec/billing.md, Collection)", () => {
  test("owners and admins get it once, with number, amount and due date; a repeated call sends no e-mail", async () => {
    const { invoiceId, merchantId, managers } = await makeTeamDraft();
    const finalized = await finalizeInvoice(deps, { invoiceId });
    const number = "number" in finalized ? finalized.number : "";
    expect(await finalizeInvoice(deps, { invoiceId })).toMatchObject({ outcome: "already_final" });
    const mails = await mailsTo(managers);
    expect(mails.map(({ recipient }) => recipient)).toEqual(managers.toSorted());
    expect(await invoiceMails(merchantId)).toHaveLength(3);
    for (const { kind, state, subject, text, html } of mails) {
      expect({ kind, state, subject }).toEqual({
        kind: "invoice",
        state: "pending",
        subject: `[Sandbox] Invoice ${number}: €58.31`,
      });
      expect(text).toContain("Fresh Market");
      expect(text).toContain("16\u00a0November\u00a02026, UTC");
      expect(text).toContain("We charge your payment method now.");
      expect(html).toContain(`${deps.config.walletUrl}/merchant/billing/invoices/${invoiceId}`);
    }
  });

  test("ten concurrent finalizations send it once", async () => {
    const { invoiceId, merchantId } = await makeTeamDraft();
    await Promise.all(Array.from({ length: 10 }, () => finalizeInvoice(deps, { invoiceId })));
    expect(await invoiceMails(merchantId)).toHaveLength(3);
  });

  test("it needs two SQL statements for any number of recipients", async () => {
    const { invoiceId } = await makeTeamDraft();
    const used: string[] = [];
    const counting: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work) =>
          deps.db.sqlTransaction((sql) =>
            work({
              query: (statement, values) => {
                used.push(statement.name);
                return sql.query(statement, values);
              },
            }),
          ),
      },
    };
    await finalizeInvoice(counting, { invoiceId });
    expect(used.slice(used.indexOf("find_invoice_notice"))).toEqual(["find_invoice_notice", "insert_mails"]);
  });

  test("it isn't sent if the transaction is rolled back", async () => {
    const { invoiceId, merchantId } = await makeTeamDraft();
    const failing: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sqlTransaction: (work) =>
          deps.db.sqlTransaction(async (sql) => {
            await work(sql);
            throw new Error("stop");
          }),
      },
    };
    await expect(finalizeInvoice(failing, { invoiceId })).rejects.toThrow("stop");
    expect(await invoiceMails(merchantId)).toEqual([]);
  });

  test("it isn't sent if no amount is due, and it isn't sent to members of the probes' merchant", async () => {
    const paid = await makeTeamDraft();
    const prepaid = { kind: "prepaid", currency: "EUR", amountMinor: 6000n, priority: 0, expiresAt: null } as const;
    await grantCredit(deps, { ...prepaid, merchantId: paid.merchantId, key: "1", reason: "paid by transfer", ...by });
    expect(await finalizeInvoice(deps, paid)).toMatchObject({ outcome: "finalized", status: "paid" });
    const probed = await makeTeamDraft();
    await deps.db.prisma.merchant.update({ where: { id: probed.merchantId }, data: { isProbe: true } });
    expect(await finalizeInvoice(deps, probed)).toMatchObject({ outcome: "finalized", status: "open" });
    for (const { merchantId } of [paid, probed]) expect(await invoiceMails(merchantId)).toEqual([]);
  });

  test.each([
    ["production, with a card", { environment: "production", hasCard: true, hasAccount: true, isCharged: true }],
    ["production, without a card", { environment: "production", hasCard: false, hasAccount: true, isCharged: false }],
    ["without a processor", { environment: "sandbox", hasCard: false, hasAccount: false, isCharged: false }],
  ] as const)("it says whether a payment method is charged: %s", async (_, given) => {
    const { invoiceId, merchantId, managers } = await makeTeamDraft();
    if (given.hasCard) await setBillingPaymentMethod(deps, { merchantId, card: "visa", ...by });
    const address = { line1: "B 1", line2: null, postalCode: "10115", city: "Berlin", country: "DE" };
    const details = { version: 1, legalName: "A GmbH", ...address, vatNumber: null, taxRegion: "DE" };
    await insertTaxDetails(deps.db.sql, merchantId, { ...details, createdAt: deps.clock.now() });
    const processors = {
      get: (name: string) => {
        throw new UnconfiguredProcessor(name);
      },
    };
    const issuing = {
      ...deps,
      config: { ...deps.config, environment: given.environment },
      ...(given.hasAccount ? {} : { processors }),
    };
    await finalizeInvoice(issuing, { invoiceId, refresh: async () => {} });
    const [mail] = await mailsTo(managers);
    expect(mail?.text.includes("We charge your payment method now.")).toBe(given.isCharged);
    expect(mail?.text.includes("Please pay the invoice by the due date.")).toBe(!given.isCharged);
    const words = mail?.text.replaceAll(/\s+/g, " ");
    expect(words?.includes("New payments are refused from 30 November 2026 (UTC)")).toBe(!given.isCharged);
  });
});
