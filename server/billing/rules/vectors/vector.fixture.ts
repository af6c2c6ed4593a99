import { type Exact, multiplyRatio, toExact } from "../exact/exact.ts";
import { computeInvoice } from "../invoice/compute-invoice.ts";
import { onlyParts } from "../invoice/invoice-input.fixture.ts";
import type { InvoiceInput, PeriodPart } from "../invoice/types.ts";
import type { MeterUsage, Price } from "../plans/terms.ts";

/** An example from the public documentation of another billing engine. */
export type Vector = {
  id: string;
  topic: string;
  input: Record<string, unknown>;
  expected: Record<string, unknown>;
};

/** Computes the values to compare with `expected`. */
export type VectorRunner = (input: Record<string, unknown>) => Record<string, unknown>;

/** A runner for inputs of one shape. */
export const runnerOf =
  <Input>(run: (input: Input) => Record<string, unknown>): VectorRunner =>
  (input) =>
    run(input as Input);

/** @param text an integer or a fraction, such as `84000/31` */
export const exactOfFraction = (text: string): Exact => {
  const [numerator = "", denominator = "1"] = text.split("/");
  return multiplyRatio(toExact(BigInt(numerator)), 1n, BigInt(denominator));
};

export const unitsOnly = (quantity: bigint): MeterUsage => ({ quantity, amounts: [] });

/** One charge for each amount. */
export const chargesOf = (amounts: readonly number[]): MeterUsage => ({
  quantity: BigInt(amounts.length),
  amounts: amounts.map((amount) => ({ amountMinor: BigInt(amount), count: 1n })),
});

export const vectorPeriod = { from: new Date("2027-01-01T00:00:00Z"), to: new Date("2027-02-01T00:00:00Z") };
export const vectorPlan = { id: "pro", version: 1 };

type Meters = Record<string, { price: Price; usage: MeterUsage }>;

/** A part of a period with these meters, and no flat fee, minimum or maximum unless given. */
export const partOf = (
  meters: Meters,
  terms: Partial<PeriodPart["terms"]> = {},
  days = { used: 1, of: 1 },
): PeriodPart => ({
  plan: vectorPlan,
  terms: {
    flat: 0n,
    minimum: 0n,
    maximum: null,
    ...terms,
    prices: new Map(Object.entries(meters).map(([meter, { price }]) => [meter, price])),
  },
  period: vectorPeriod,
  days,
  usage: new Map(Object.entries(meters).map(([meter, { usage }]) => [meter, usage])),
});

/** Lines with the given exact amounts: each line has its own meter, with one unit at that price. */
export const linesOf = (exacts: readonly Exact[]): Meters =>
  Object.fromEntries(
    exacts.map((unit, index) => [
      `own:line_${index}`,
      { price: { model: "per_unit", unit, freeUnits: 0n }, usage: unitsOnly(1n) },
    ]),
  );

export const invoiceOf = (part: PeriodPart, other: Partial<InvoiceInput> = {}) =>
  computeInvoice({
    currency: "EUR",
    tax: { category: "O", rate: 0n, behaviour: "exclusive" },
    parts: [part],
    ...onlyParts,
    ...other,
  });

export const standardTax = (percent: string): InvoiceInput["tax"] => ({
  category: "S",
  rate: exactOfFraction(percent),
  behaviour: "exclusive",
});

export const amountCoupon = (code: string, amount: number, meters: readonly string[] | null = null) => ({
  code,
  percent: null,
  amountMinor: BigInt(amount),
  meters,
});

export const percentCoupon = (code: string, percent: string) => ({
  code,
  percent: exactOfFraction(percent),
  amountMinor: null,
  meters: null,
});

export const grantOf = (id: string, remaining: number, priority = 50) => ({
  id,
  kind: "prepaid" as const,
  remaining: BigInt(remaining),
  priority,
  expiresAt: null,
  grantedAt: new Date("2027-01-01T00:00:00Z"),
});
