import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { larger } from "../../../kernel/money/smaller.ts";
import { applyCoupons } from "./apply-coupons.ts";
import { applyCredits } from "./apply-credits.ts";
import { type DraftLine, draftLine } from "./draft-line.ts";
import { lateLines } from "./late-lines.ts";
import { partLines } from "./part-lines.ts";
import { hasSafeAmounts, invoiceTooLarge } from "./safe-amounts.ts";
import { rateOf, toInvoicePrices } from "./supply-tax.ts";
import { taxLines } from "./taxes.ts";
import type {
  ComputedInvoice,
  Discount,
  InvoiceInput,
  LineKind,
  RefundedFee,
  SlaCredit,
  SupplyTax,
  TaxTotal,
  VoidedCredit,
} from "./types.ts";

const kindOrder: readonly LineKind[] = ["flat", "usage", "late", "refund", "proration", "true_up", "sla_credit"];

/**
 * The invoice of a period: the only computation behind estimates, previews, drafts and final invoices
 * (docs/spec/billing.md, Arithmetic of invoices). Equal input gives an equal result.
 * @throws DomainError invoice_too_large if JSON numbers can't represent an amount exactly.
 */
export const computeInvoice = (input: InvoiceInput): ComputedInvoice => {
  const invoice = computeSafeInvoice(input);
  if (!invoice) throw invoiceTooLarge();
  return invoice;
};

/** Like `computeInvoice`, but returns null for an invoice that is too large. */
export const computeSafeInvoice = (input: InvoiceInput): ComputedInvoice | null => {
  const drafts = draftLines(input);
  const coupons = applyCoupons(drafts, input.coupons);
  const { lines, taxes } = taxLines(coupons.lines, input.tax.behaviour);
  const discounts = [...maximumDiscount(drafts), ...coupons.discounts];
  const amounts = totalsOf({ drafts, discounts, taxes, behaviour: input.tax.behaviour });
  const total = larger(amounts.balance, 0n);
  const invoice = {
    currency: input.currency,
    lines,
    discounts,
    taxes,
    subtotal: amounts.subtotal,
    discount: amounts.discount,
    tax: amounts.tax,
    total,
    ...applyCredits(total, input),
    toCreditBalance: total - amounts.balance,
  };
  return hasSafeAmounts(invoice) ? invoice : null;
};

const draftLines = ({ parts, late, refunds, slaCredits, voided = [], tax }: InvoiceInput): DraftLine[] => {
  const lines = [
    ...parts.flatMap((part) => partLines(part, rateOf(tax))),
    ...late.flatMap((period) => lateLines(period, tax)),
    ...refunds.map((refund) => refundLine(refund, tax)),
    ...voided.map((credit) => voidedLine(credit, tax)),
    ...slaCredits.map((credit) => slaCreditLine(credit, tax)),
  ];
  return lines.sort((one, other) => kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind));
};

const refundLine = (refund: RefundedFee, invoiceTax: SupplyTax): DraftLine => {
  const { meter, period, plan = null, quantity, tax: supply = invoiceTax, events = null } = refund;
  const description = `${refundTitle(refund)}: ${meterTitle(meter)}`;
  const [exact, tax] = [toInvoicePrices(refund.exact, supply, invoiceTax), rateOf(supply)];
  const line = draftLine("refund", { meter, description, period, plan, quantity, exact, tax, events });
  return { ...line, pricedExact: refund.exact };
};

const refundTitle = ({ exact, isCorrection }: RefundedFee): string => {
  if (isCorrection) return "Correction of refunded fees, because their invoice is void";
  return exact > 0n ? "Fees of failed refunds" : "Refunded fees";
};

const slaCreditLine = (credit: SlaCredit, invoiceTax: SupplyTax): DraftLine => {
  const { component, detail, period, tax = invoiceTax } = credit;
  const description = `SLA credit: ${component}${detail === undefined ? "" : `, ${detail}`}`;
  return draftLine("sla_credit", {
    meter: null,
    description,
    period,
    plan: null,
    quantity: 1n,
    exact: toInvoicePrices(credit.exact, tax, invoiceTax),
    tax: rateOf(tax),
    events: null,
  });
};

const voidedLine = (
  { kind, tax, replaces, pricedExact, ...credit }: VoidedCredit,
  invoiceTax: SupplyTax,
): DraftLine => {
  const exact = toInvoicePrices(credit.exact, tax, invoiceTax);
  return { ...draftLine(kind, { ...credit, exact, tax: rateOf(tax) }), pricedExact, replaces };
};

const sumAmounts = (items: readonly { amount: bigint }[]): bigint =>
  items.reduce((sum, { amount }) => sum + amount, 0n);

/** Before coupons are applied, the plan's maximum is the only source of discounts. */
const maximumDiscount = (drafts: readonly DraftLine[]): Discount[] => {
  const amount = drafts.reduce((sum, { discount }) => sum + discount, 0n);
  return amount === 0n ? [] : [{ coupon: null, amount }];
};

type Parts = {
  drafts: readonly DraftLine[];
  discounts: readonly Discount[];
  taxes: readonly TaxTotal[];
  behaviour: InvoiceInput["tax"]["behaviour"];
};

/** `balance` is negative if credits exceed the charges. */
const totalsOf = ({ drafts, discounts, taxes, behaviour }: Parts) => {
  const subtotal = sumAmounts(drafts);
  const discount = sumAmounts(discounts);
  const tax = sumAmounts(taxes);
  const balance = subtotal - discount + (behaviour === "exclusive" ? tax : 0n);
  return { subtotal, discount, tax, balance };
};
