import { currencyExponent, toDecimal } from "../../../kernel/money/money.ts";
import { parseTypedAmount } from "../../../kernel/money/typed-amount.ts";
import { type CreditableLine, computeCreditNote } from "../credit-notes/compute-credit-note.ts";
import { allocate } from "../exact/allocate.ts";
import { multiplyRatio, parseExact, roundToMinor, toExact } from "../exact/exact.ts";
import { netOfGross, taxLines } from "../invoice/taxes.ts";
import type { InvoiceInput } from "../invoice/types.ts";
import { unusedCredit } from "../periods/proration.ts";
import { exactOfFraction, runnerOf, standardTax, type VectorRunner } from "./vector.fixture.ts";

type Credit = { credit: number; amount: number; discount?: number };

/** Consecutive credit notes, each for a part of one line. */
const creditNotes = (lines: readonly Credit[], tax: InvoiceInput["tax"], steps: readonly [number, number][]) => {
  let left = lines.map(
    ({ amount, discount = 0 }): CreditableLine => ({
      amount: BigInt(amount),
      discount: BigInt(discount),
      tax,
      credited: 0n,
      credit: 0n,
    }),
  );
  return steps.map(([index, credit]) => {
    const note = computeCreditNote(
      left.map((line, at) => ({ ...line, credit: at === index ? BigInt(credit) : 0n })),
      tax.behaviour,
    );
    left = left.map((line, at) => ({ ...line, credited: line.credited + (at === index ? BigInt(credit) : 0n) }));
    return { tax: Number(note.tax), total: Number(note.total), net: Number(note.subtotal - note.discount), note };
  });
};

const whole = (amount: number, discount = 0): Credit => ({ amount, discount, credit: 0 });

const unusedNote = runnerOf<{ paid_minor: number; unused_days: number; period_days: number; tax_percent: string }>(
  ({ paid_minor, unused_days, period_days, tax_percent }) => {
    const credit = Number(unusedCredit(BigInt(paid_minor), unused_days, period_days));
    const [note] = creditNotes([whole(paid_minor)], standardTax(tax_percent), [[0, credit]]);
    return { net_minor: note?.net, tax_minor: note?.tax, total_minor: note?.total };
  },
);

const discountedNote = runnerOf<{
  line_minor: number;
  coupon_minor: number;
  tax_percent: string;
  credited_minor: number;
}>(({ line_minor, coupon_minor, tax_percent, credited_minor }) => {
  const [note] = creditNotes([whole(line_minor, coupon_minor)], standardTax(tax_percent), [[0, credited_minor]]);
  return {
    coupon_adjustment_minor: Number(note?.note.discount),
    net_minor: note?.net,
    tax_minor: note?.tax,
    total_minor: note?.total,
  };
});

const partialNotes = runnerOf<{ net_minor: number; tax_percent: string; credits_minor: number[] }>(
  ({ net_minor, tax_percent, credits_minor }) => {
    const steps = credits_minor.map((credit): [number, number] => [0, credit]);
    const notes = creditNotes([whole(net_minor)], standardTax(tax_percent), steps);
    const totals = notes.map(({ total }) => total);
    return {
      tax_minor: notes.map(({ tax }) => tax),
      totals_minor: totals,
      sum_minor: totals.reduce((sum, total) => sum + total, 0),
    };
  },
);

/** A refund that includes tax, allocated in proportion to the gross amounts of the lines. */
const grossRefund = runnerOf<{ lines: { net: number; tax: number }[]; refund_minor: number }>(
  ({ lines, refund_minor }) => {
    const grosses = lines.map(({ net, tax }) => BigInt(net + tax));
    const credits = allocate(BigInt(refund_minor), grosses);
    const tax = { ...standardTax("25"), behaviour: "inclusive" as const };
    const note = computeCreditNote(
      grosses.map((amount, index) => ({ amount, discount: 0n, tax, credited: 0n, credit: credits[index] ?? 0n })),
      tax.behaviour,
    );
    return {
      tax_refunded_minor: Number(note.tax),
      by_line: note.lines.map(({ credit, net }) => ({ total: Number(credit), tax: Number(credit - net) })),
    };
  },
);

const creditNoteTax: VectorRunner = (input) => {
  if ("paid_minor" in input) return unusedNote(input);
  if ("coupon_minor" in input) return discountedNote(input);
  return "refund_minor" in input ? grossRefund(input) : partialNotes(input);
};

const taxed = (amounts: readonly number[], percent: string) => {
  const tax = standardTax(percent);
  const lines = amounts.map((amount) => ({ amount: BigInt(amount), discount: 0n, tax }));
  return taxLines(lines, "exclusive").taxes.reduce((sum, { amount }) => sum + amount, 0n);
};

export const moneyVectors: Readonly<Record<string, VectorRunner>> = {
  allocation: runnerOf<{ total: number; weights: number[] }>(({ total, weights }) => ({
    parts: allocate(BigInt(total), weights.map(BigInt)).map(Number),
  })),
  "rounding.mode": runnerOf<{ exact: string }>(({ exact }) => ({ half_even: Number(roundToMinor(parseExact(exact))) })),
  "credit_note.tax": creditNoteTax,
  "tax.credit_notes": runnerOf<{ lines_minor: number[]; tax_percent: string }>(({ lines_minor, tax_percent }) => {
    const steps = lines_minor.map((amount, index): [number, number] => [index, amount]);
    const notes = creditNotes(
      lines_minor.map((amount) => whole(amount)),
      standardTax(tax_percent),
      steps,
    );
    return {
      invoice_tax_minor: Number(taxed(lines_minor, tax_percent)),
      cumulative_cn_tax_minor: notes.map(({ tax }) => tax),
    };
  }),
  "tax.inclusive": runnerOf<{ gross_minor: number; tax_percent: string }>(({ gross_minor, tax_percent }) => {
    const net = Number(netOfGross(BigInt(gross_minor), exactOfFraction(tax_percent)));
    return { round_net: { net, tax: gross_minor - net } };
  }),
  "tax.rounding": runnerOf<{ lines_minor: number[]; tax_percent: string }>(({ lines_minor, tax_percent }) => {
    const tax = Number(taxed(lines_minor, tax_percent));
    const total = lines_minor.reduce((sum, amount) => sum + amount, tax);
    return { tax_minor: tax, total_minor: total, per_invoice_tax_minor: tax };
  }),
  "currency.zero_decimal": (input) => {
    const { currency, amount, full_minor, days, period_days } = input as {
      currency: string;
      amount?: string;
      full_minor: number;
      days: number;
      period_days: number;
    };
    if (amount !== undefined) {
      const typed = parseTypedAmount(amount, currency, "en");
      return { processor_minor: typed.kind === "amount" ? Number(typed.amountMinor) : null };
    }
    const minor = roundToMinor(multiplyRatio(toExact(BigInt(full_minor)), BigInt(days), BigInt(period_days)));
    const displayed = Number(toDecimal({ amountMinor: minor, currency })).toLocaleString("en");
    return { minor: Number(minor), displayed: currencyExponent(currency) === 0 ? displayed : null };
  },
};
