import { makeMerchant } from "#e2e/support/factories.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { payInvoice } from "../../billing/collection/pay-invoice.ts";
import { grantCredit } from "../../billing/credits/grant-credit.ts";
import { makeFinalInvoice } from "../../billing/invoices/invoice.fixture.ts";
import { createCreditNote } from "../../billing/invoices/transitions/create-credit-note.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";

const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;

/**
 * An open invoice that used a prepaid credit, and another merchant's paid invoice with a credit note that became credit
 * balance. The processor must accept payments.
 */
export const makeInvoices = async (deps: TestDeps): Promise<void> => {
  const { id: merchantId } = await makeMerchant(deps);
  const credit = { kind: "prepaid", currency: "EUR", amountMinor: 2000n, priority: 0, expiresAt: null } as const;
  await grantCredit(deps, { merchantId, ...credit, key: "prepaid", reason: "Paid", ...by });
  await makeFinalInvoice(deps, { merchantId });
  const { invoiceId } = await makeFinalInvoice(deps);
  const payable = { ...deps, config: { ...deps.config, simulatorUrl: "http://127.0.0.1:1", simulatorKey: "k" } };
  const { outcome } = await payInvoice(payable, { invoiceId, ...by });
  if (outcome !== "paid") throw new Error(`the invoice was not paid: ${outcome}`);
  const [line] = await findInvoiceLineRows(deps.db.sql, invoiceId);
  const lines = [{ lineId: line?.id ?? "", amountMinor: 1000n }];
  await createCreditNote(deps, { invoiceId, lines, reason: "An error", key: "note", ...by });
};

/** The changes that break each rule of billing. Call `makeInvoices` first. */
const changes: Record<string, string[]> = {
  "a ledger transaction sums to zero in each currency": [
    "UPDATE billing_ledger_entry SET amount = amount + 1 WHERE account = 'tax'",
    "UPDATE billing_ledger_entry SET currency = 'USD' WHERE account = 'tax'",
  ],
  "a ledger balance is the sum of its entries": [
    "UPDATE billing_ledger_balance SET posted = posted + 1 WHERE account = 'revenue'",
    "UPDATE billing_ledger_balance SET pending = pending + 1 WHERE account = 'revenue'",
    "DELETE FROM billing_ledger_balance WHERE account = 'revenue'",
    "DELETE FROM billing_ledger_entry WHERE account = 'revenue'",
  ],
  "the receivable of a merchant is the sum of the amounts due of its open invoices": [
    "UPDATE billing_ledger_balance SET posted = posted + 1 WHERE account = 'receivable'",
    "UPDATE billing_invoice SET status = 'uncollectible', closed_at = now() WHERE status = 'open'",
  ],
  "the balance of customer_credit is the remaining amount of a merchant's credits": [
    "UPDATE billing_ledger_balance SET posted = 0 WHERE account = 'customer_credit'",
    "UPDATE billing_credit_grant SET remaining = remaining - 1 WHERE kind = 'credit_note'",
  ],
  "the balance of prepaid is the remaining amount of a merchant's credits": [
    "UPDATE billing_ledger_balance SET posted = posted - 1 WHERE account = 'prepaid'",
    "UPDATE billing_credit_grant SET remaining = remaining + 1 WHERE kind = 'prepaid'",
  ],
  "the remaining amount of a credit is its granted amount less its uses": [
    "UPDATE billing_credit_use SET amount = amount - 1",
    "DELETE FROM billing_credit_use",
  ],
  "the credits applied to an invoice are its uses of credit grants": [
    "UPDATE billing_credit_use SET invoice_id = NULL",
    "UPDATE billing_invoice SET credit_applied = credit_applied + 1, amount_due = amount_due - 1 WHERE status = 'open'",
    "UPDATE billing_invoice SET status = 'void', amount_due = 0, closed_at = now() WHERE status = 'open'",
  ],
  "credit notes return to a credit at most the amount that their invoice took from the credit": [
    "UPDATE billing_credit_use SET amount = -amount WHERE invoice_id IS NOT NULL",
  ],
  "a final invoice or credit note is in the ledger, unless it moves no amount": [
    "DELETE FROM billing_ledger_transaction WHERE kind = 'invoice.finalized'",
    "DELETE FROM billing_ledger_transaction WHERE kind = 'credit_note.created'",
  ],
  "the paid amount of a merchant's invoices is its payments in the ledger, less the part that became credit balance": [
    "UPDATE billing_invoice SET amount_paid = amount_paid + 1, amount_due = amount_due - 1 WHERE status = 'open'",
    "UPDATE billing_ledger_transaction SET state = 'voided' WHERE kind = 'payment'",
    "UPDATE billing_ledger_transaction SET kind = 'overpayment' WHERE kind = 'payment'; UPDATE billing_ledger_entry SET amount = -amount WHERE transaction_id IN (SELECT id FROM billing_ledger_transaction WHERE kind = 'overpayment')",
  ],
  "the state of a payment is also the state of its ledger transaction": [
    "UPDATE billing_payment SET state = 'not_submitted'",
    "UPDATE billing_ledger_transaction SET state = 'pending', settled_at = NULL WHERE kind = 'payment'",
    "DELETE FROM billing_ledger_transaction WHERE kind = 'payment'",
  ],
  "an open invoice has a next step of collection, unless all steps are done": [
    "UPDATE billing_collection SET due_at = NULL",
    "DELETE FROM billing_collection",
  ],
  "the sums of revenue equal the lines of all issued invoices, less credit notes and void invoices": [
    "UPDATE billing_revenue SET net = net + 1",
    "DELETE FROM billing_revenue",
    "UPDATE billing_invoice_line SET meter = 'tokens_issued' WHERE kind = 'flat'",
  ],
  "the SLA credits on an invoice's lines are those that name the invoice": [
    "UPDATE billing_invoice_line SET kind = 'sla_credit' FROM billing_invoice i WHERE i.id = invoice_id AND i.status = 'open'",
  ],
  "invoices are numbered without gaps": [
    "UPDATE billing_number SET last = last + 1",
    "DELETE FROM billing_invoice WHERE status = 'open'",
    "DELETE FROM billing_invoice WHERE type = 'credit_note'",
  ],
};

/** Each change, with the rule that it breaks. */
export const billingRows: [string, string][] = Object.entries(changes).flatMap(([rule, each]) =>
  each.map((sql): [string, string] => [rule, sql]),
);
