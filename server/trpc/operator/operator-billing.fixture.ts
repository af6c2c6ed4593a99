import { makeMerchant } from "#e2e/support/factories.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { makeDraft, makeFinalInvoice } from "../../billing/invoices/invoice.fixture.ts";
import { postTransaction } from "../../billing/ledger/post-transaction.ts";
import { paymentPostings } from "../../billing/rules/ledger/postings.ts";
import { assignPlan } from "../../billing/subscriptions/assign-plan.ts";
import { reportSms } from "../../billing/subscriptions/subscription.fixture.ts";
import { insertBillingPayment } from "../../data/billing/collection/payments.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";
import { updateTaxAwaited } from "../../data/billing/invoices/write-invoice.ts";
import { insertSlaFigures } from "../../data/billing/sla/sla-figures.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { utcMonth } from "../../kernel/time/utc-month.ts";

/** One object for each procedure that ends an object. */
export type BillingObjects = Record<
  | "invoiceId"
  | "lineId"
  | "creditedId"
  | "voidedId"
  | "lossId"
  | "taxDraftId"
  | "unresolvedId"
  | "searchedId"
  | "subscriberId"
  | "slaMonth",
  string
>;

export const noBillingObjects: BillingObjects = {
  invoiceId: "inv_nowhere",
  lineId: "il_nowhere",
  creditedId: "inv_nowhere",
  voidedId: "inv_nowhere",
  lossId: "inv_nowhere",
  taxDraftId: "inv_nowhere",
  unresolvedId: "bpay_nowhere",
  searchedId: "bpay_nowhere",
  subscriberId: "mch_nowhere",
  slaMonth: "2026-10",
};

/** An attempt that was started two hours ago and whose outcome isn't known. @returns its id. */
export const addUnresolvedPayment = async (
  deps: TestDeps,
  { invoiceId, merchantId, amount = 5831n }: { invoiceId: string; merchantId: string; amount?: bigint },
): Promise<string> => {
  const id = newId("bpay");
  const at = deps.clock.now();
  const account = { processor: "simulator", processorAccount: "acct_billing" };
  const method = { paymentMethodRef: "pm_card_visa", paymentMethodLabel: "Visa ending in 4242" };
  await insertBillingPayment(deps.db.sql, {
    id,
    invoiceId,
    merchantId,
    amount,
    currency: "EUR",
    ...account,
    ...method,
    state: "pending",
    processorRef: null,
    declineCode: null,
    isRetryable: null,
    createdAt: at,
    settledAt: null,
    startedAt: addSeconds(at, -7_200),
    lookups: 0,
    notFoundAt: null,
  });
  const source = { type: "payment", id } as const;
  const postings = paymentPostings("EUR", amount);
  await postTransaction(deps.db.sql, { merchantId, kind: "payment", source, postings, state: "pending", at });
  return id;
};

/** Makes the fees of this month creditable, as if the month had ended. @returns the month. */
const addSlaMonth = async (deps: TestDeps, merchantId: string): Promise<string> => {
  await reportSms(deps, merchantId, { quantity: 100 });
  const at = deps.clock.now();
  const uptime = { title: "Billing engine", uptime: "99.000", creditPercent: 10, dayHash: "-", page: "-" };
  const figures = [{ component: "billing_engine", ...uptime }];
  await insertSlaFigures(deps.db.sql, { month: utcMonth(at, 0).from, at, figures });
  await deps.db.prisma.$executeRaw`UPDATE billing_subscription SET sla_due_at = NULL WHERE merchant_id = ${merchantId}`;
  return at.toISOString().slice(0, 7);
};

/** The catalogue has the plan `basic`, which prices the meter `own:sms`. */
export const makeBillingObjects = async (deps: TestDeps): Promise<BillingObjects> => {
  const final = async () => (await makeFinalInvoice(deps)).invoiceId;
  const { invoiceId: taxDraftId } = await makeDraft(deps);
  await updateTaxAwaited(deps.db.sql, taxDraftId, addSeconds(deps.clock.now(), -8 * 24 * 3600));
  const { id: subscriberId } = await makeMerchant(deps);
  const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test" } as const;
  await assignPlan(deps, { merchantId: subscriberId, planId: "basic", version: null, currency: null, ...by });
  const invoiceId = await final();
  await deps.db.prisma.$executeRaw`INSERT INTO meter_reconciliation_day (day, compared, differences, checked_at)
    VALUES ('2026-11-25Z', 0, 0, now()) ON CONFLICT DO NOTHING`;
  return {
    invoiceId,
    lineId: (await findInvoiceLineRows(deps.db.sql, invoiceId))[0]?.id ?? "",
    creditedId: await final(),
    voidedId: await final(),
    lossId: await final(),
    taxDraftId,
    unresolvedId: await addUnresolvedPayment(deps, await makeFinalInvoice(deps)),
    searchedId: await addUnresolvedPayment(deps, await makeFinalInvoice(deps)),
    subscriberId,
    slaMonth: await addSlaMonth(deps, subscriberId),
  };
};

const reason = "Asked by phone";

export const billingInputs: Readonly<Record<string, (objects: BillingObjects) => unknown>> = {
  "operatorInvoices.list": () => ({ search: "market", status: "open", currency: "EUR", type: "invoice" }),
  "operatorInvoices.get": ({ invoiceId }) => ({ invoiceId }),
  "operatorInvoices.lineEvents": ({ invoiceId, lineId }) => ({ invoiceId, lineId }),
  "operatorInvoices.previewCredit": ({ creditedId }) => ({ invoiceId: creditedId, lines: "all" }),
  "operatorInvoices.credit": ({ creditedId }) => ({ invoiceId: creditedId, lines: "all", reason, key: "0123456789" }),
  "operatorInvoices.void": ({ voidedId }) => ({ invoiceId: voidedId, reason }),
  "operatorInvoices.markUncollectible": ({ lossId }) => ({ invoiceId: lossId, reason }),
  "operatorInvoices.taxCases": () => ({}),
  "operatorInvoices.decideTax": ({ taxDraftId }) => ({ invoiceId: taxDraftId, reason }),
  "operatorDunning.cases": () => ({}),
  "operatorDunning.payments": () => ({}),
  "operatorDunning.search": ({ searchedId }) => ({ paymentId: searchedId, reason }),
  "operatorDunning.settle": ({ unresolvedId }) => ({ paymentId: unresolvedId, reason, finding: { kind: "nothing" } }),
  "operatorMerchantBilling.get": ({ subscriberId }) => ({ merchantId: subscriberId }),
  "operatorMerchantBilling.grantCredit": ({ subscriberId }) => ({
    merchantId: subscriberId,
    kind: "prepaid",
    currency: "EUR",
    amountMinor: 1000,
    priority: 0,
    expiresAt: null,
    key: "0123456789",
    reason,
  }),
  "operatorMerchantBilling.addSlaCredit": ({ subscriberId, slaMonth }) => ({
    merchantId: subscriberId,
    component: "billing_engine",
    month: slaMonth,
    currency: "EUR",
    exact: "0.5",
    key: "0123456789",
    reason,
  }),
  "operatorMerchantBilling.applyCoupon": ({ subscriberId }) => ({ merchantId: subscriberId, code: "TENTH", reason }),
  "operatorMerchantBilling.removeCoupon": ({ subscriberId }) => ({ merchantId: subscriberId, code: "TENTH", reason }),
  "operatorMerchantBilling.assignPlan": ({ subscriberId }) => ({
    merchantId: subscriberId,
    planId: "basic",
    version: null,
    currency: null,
    reason,
  }),
  "operatorMerchantBilling.withdrawChange": ({ subscriberId }) => ({ merchantId: subscriberId, reason }),
  "operatorRevenue.overview": () => ({ months: 3 }),
};

export const billingById = [
  "operatorInvoices.get",
  "operatorInvoices.lineEvents",
  "operatorInvoices.previewCredit",
  "operatorInvoices.credit",
  "operatorInvoices.void",
  "operatorInvoices.markUncollectible",
  "operatorInvoices.decideTax",
  "operatorDunning.search",
  "operatorDunning.settle",
  "operatorMerchantBilling.get",
  "operatorMerchantBilling.grantCredit",
  "operatorMerchantBilling.addSlaCredit",
  "operatorMerchantBilling.applyCoupon",
  "operatorMerchantBilling.removeCoupon",
  "operatorMerchantBilling.assignPlan",
  "operatorMerchantBilling.withdrawChange",
];
