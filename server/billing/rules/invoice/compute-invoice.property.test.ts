import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundToMinor, toExact } from "../exact/exact.ts";
import { computeInvoice } from "./compute-invoice.ts";
import { explainInvoice } from "./explain-invoice.ts";
import { invoiceCurrencies, invoiceInput, onlyParts } from "./invoice-input.fixture.ts";
import { slowInvoice } from "./invoice-model.fixture.ts";
import type { InvoiceInput } from "./types.ts";

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

describe("an invoice in a currency with 0, 2 or 3 decimals (docs/spec/billing.md, Arithmetic of invoices)", () => {
  test("has the same amounts as a simple, slow reference computation", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        const { subtotal, discount, tax, total, creditApplied, amountDue, ...rest } = computeInvoice(input);
        const { prepaid, balance, lines: _, ...slow } = slowInvoice(input);
        expect({ subtotal, discount, tax, total, creditApplied, amountDue }).toEqual(slow);
        expect(new Map(rest.prepaidApplied.map(({ id, amount }) => [id, amount]))).toEqual(prepaid);
        expect(rest.toCreditBalance).toBe(balance < 0n ? -balance : 0n);
      }),
      { numRuns: 300 },
    );
  });

  test("is the sum of its lines, and each line's amount is its exact amount, rounded once", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        const { lines, discounts, taxes, ...invoice } = computeInvoice(input);
        for (const { exact, amount } of lines) expect(amount).toBe(roundToMinor(exact));
        expect(sum(lines.map(({ amount }) => amount))).toBe(invoice.subtotal);
        expect(sum(lines.map(({ discount }) => discount))).toBe(invoice.discount);
        expect(sum(discounts.map(({ amount }) => amount))).toBe(invoice.discount);
        expect(sum(taxes.map(({ amount }) => amount))).toBe(invoice.tax);
        const inclusiveTax = input.tax.behaviour === "inclusive" ? invoice.tax : 0n;
        expect(sum(lines.map(({ net }) => net))).toBe(invoice.subtotal - invoice.discount - inclusiveTax);
        for (const { category, rate, base } of taxes) {
          const own = lines.filter(({ tax }) => tax.category === category && tax.rate === rate);
          expect(sum(own.map(({ net }) => net))).toBe(base);
        }
      }),
    );
  });

  test("discounts a line by at most its amount, and never discounts a negative line", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        for (const { amount, discount } of computeInvoice(input).lines) {
          expect(discount >= 0n && discount <= (amount > 0n ? amount : 0n)).toBe(true);
        }
      }),
    );
  });

  test("is never negative, and credits never pay more than the total", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        const { total, creditApplied, prepaidApplied, amountDue, toCreditBalance } = computeInvoice(input);
        for (const amount of [total, creditApplied, amountDue, toCreditBalance]) expect(amount >= 0n).toBe(true);
        expect(creditApplied + sum(prepaidApplied.map(({ amount }) => amount)) + amountDue).toBe(total);
        for (const { id, amount } of prepaidApplied) {
          const grant = input.prepaid.find((one) => one.id === id);
          expect(amount > 0n && amount <= (grant?.remaining ?? 0n)).toBe(true);
        }
      }),
    );
  });

  test("has an explanation whose steps sum to each line's exact amount", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        const invoice = computeInvoice(input);
        const explanation = explainInvoice(input, invoice);
        expect(explanation.map(({ steps }) => sum(steps.map(({ exact }) => exact)))).toEqual(
          invoice.lines.map(({ exact }) => exact),
        );
        expect(explanation.map(({ line }) => line)).toEqual(invoice.lines.map((_, index) => `line_${index + 1}`));
      }),
    );
  });

  test("has the same amounts in minor units in every currency", () => {
    fc.assert(
      fc.property(invoiceInput, (input) => {
        const results = invoiceCurrencies.map((currency) => ({
          ...computeInvoice({ ...input, currency }),
          currency: "",
        }));
        expect(new Set(results.map((result) => JSON.stringify(result, bigintAsText))).size).toBe(1);
      }),
      { numRuns: 30 },
    );
  });
});

const bigintAsText = (_name: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

test("usage billed in two steps costs the same as in one step, except for rounding (docs/spec/billing.md, Arithmetic of invoices)", () => {
  const alone = (input: InvoiceInput, parts: InvoiceInput["parts"]): InvoiceInput => ({
    ...input,
    parts,
    ...onlyParts,
  });
  fc.assert(
    fc.property(invoiceInput, (input) => {
      const [part] = input.parts;
      if (!part) return;
      // The first invoice omits the last meter. A correction then adds that meter's usage as late usage.
      const first = { ...part, usage: new Map([...part.usage].slice(0, -1)) };
      const atOnce = computeInvoice(alone(input, [part]));
      const before = computeInvoice(alone(input, [first]));
      const exactOf = (invoice: typeof atOnce, meter: string) =>
        invoice.lines.find((line) => line.meter === meter)?.exact ?? 0n;
      const meter = [...part.terms.prices.keys()].at(-1) ?? "";
      const { maximum } = part.terms;
      const minimum = sum([...before.lines].map(({ amount }) => amount));
      const priced = before.lines.filter(({ kind }) => kind !== "true_up");
      const hasTrueUp = priced.length < before.lines.length;
      const correction = computeInvoice({
        ...alone(input, []),
        late: [
          {
            period: part.period,
            plan: part.plan,
            minimum: hasTrueUp ? minimum : 0n,
            maximum: maximum === null ? null : { before: toExact(maximum), after: toExact(maximum) },
            pricedExact: sum(priced.map(({ pricedExact }) => pricedExact)),
            corrections: [
              { meter, trueExact: exactOf(atOnce, meter), pricedExact: exactOf(before, meter), quantity: 1n },
            ],
          },
        ],
      });
      const costs = ({ subtotal, discount }: typeof atOnce) => subtotal - discount;
      const difference = costs(before) + costs(correction) - costs(atOnce);
      const roundings = BigInt(atOnce.lines.length + 3);
      expect(difference <= roundings && difference >= -roundings).toBe(true);
    }),
  );
});
