import { taxText } from "../../format/labels/tax-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";

export type InvoiceSums = {
  currency: string;
  discounts: readonly { coupon: string | null; amountMinor: number }[];
  taxes: readonly { category: string; rate: string; baseMinor: number; amountMinor: number }[];
  subtotalMinor: number;
  totalMinor: number;
  /** the amount that an invoice below zero adds to the credit balance; the invoice's total is then zero */
  toCreditBalanceMinor: number;
  creditAppliedMinor: number;
  prepaidAppliedMinor: number;
  amountDueMinor: number;
};

type Sum = { name: string; amountMinor: number; isResult: boolean };

/** The steps from the sum of the lines to the amount due. Credits of zero are left out, but taxes of zero are shown. */
export const sumsOf = (invoice: InvoiceSums, reader: Reader): Sum[] => {
  const base = (minor: number): string => formatAmount(minor, invoice.currency, reader);
  const steps = [
    ...invoice.discounts.map(({ coupon, amountMinor }) => ({
      name: coupon === null ? "Discount: fees above the plan’s maximum" : `Discount: ${coupon}`,
      amountMinor: -amountMinor,
    })),
    ...invoice.taxes.map((tax) => ({
      name: `Tax: ${taxText(tax, reader)} on ${base(tax.baseMinor)}`,
      amountMinor: tax.amountMinor,
    })),
    ...[{ name: "Added to the credit balance", amountMinor: invoice.toCreditBalanceMinor }].filter(
      ({ amountMinor }) => amountMinor !== 0,
    ),
  ];
  const credits = [
    { name: "Credit balance used", amountMinor: -invoice.creditAppliedMinor },
    { name: "Prepaid and promotional credit used", amountMinor: -invoice.prepaidAppliedMinor },
  ].filter(({ amountMinor }) => amountMinor !== 0);
  const plain = (step: Omit<Sum, "isResult">): Sum => ({ ...step, isResult: false });
  return [
    ...(steps.length > 0 ? [plain({ name: "Subtotal", amountMinor: invoice.subtotalMinor })] : []),
    ...steps.map(plain),
    { name: "Total", amountMinor: invoice.totalMinor, isResult: credits.length === 0 },
    ...credits.map(plain),
    ...(credits.length > 0 ? [{ name: "Due", amountMinor: invoice.amountDueMinor, isResult: true }] : []),
  ];
};
