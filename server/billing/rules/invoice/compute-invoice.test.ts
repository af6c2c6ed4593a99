import { describe, expect, test } from "vitest";
import { parseExact, toExact } from "../exact/exact.ts";
import {
  amountCoupon,
  grantOf,
  invoiceOf,
  linesOf,
  partOf,
  percentCoupon,
  standardTax,
} from "../vectors/vector.fixture.ts";
import type { ComputedInvoice, InvoiceInput, LatePeriod } from "./types.ts";

const month = (index: number) => ({
  from: new Date(Date.UTC(2027, index, 1)),
  to: new Date(Date.UTC(2027, index + 1, 1)),
});
const meter = "own:line_0";
const free = partOf({});

/** A correction of December. `priced`: the price of its flat fee and usage before the correction. */
const december = (
  change: string,
  {
    priced = "5000",
    minimum = 0n,
    maximum = null,
  }: { priced?: string; minimum?: bigint; maximum?: bigint | null } = {},
): LatePeriod => {
  const pricedExact = parseExact(priced);
  const trueExact = pricedExact + parseExact(change);
  const corrections = [{ meter, trueExact, pricedExact, quantity: 3n }];
  const room = maximum === null ? null : { before: toExact(maximum), after: toExact(maximum) };
  return { period: month(-1), plan: { id: "old", version: 2 }, minimum, maximum: room, pricedExact, corrections };
};

const lateLine = (late: LatePeriod) => {
  const [line] = invoiceOf(free, { late: [late] }).lines;
  return line && [line.exact, line.amount, line.discount];
};
const kindsOf = ({ lines }: ComputedInvoice) => lines.map(({ kind }) => kind);

describe("the order of an invoice (docs/spec/billing.md, Arithmetic of invoices)", () => {
  const tax = { category: "S", rate: toExact(7n), behaviour: "exclusive" as const };
  const full: Partial<InvoiceInput> = {
    tax: standardTax("19"),
    late: [december("200")],
    refunds: [{ meter: "successful_charges", period: month(0), exact: parseExact("-12.5"), quantity: 1n }],
    slaCredits: [{ component: "Authorization server", period: month(0), exact: parseExact("-100"), tax }],
    coupons: [percentCoupon("HALF", "50"), amountCoupon("LINE", 300, [meter])],
  };
  const part = partOf(linesOf([parseExact("1000.5")]), { flat: 500n, minimum: 2000n });

  test("the lines are sorted: flat fee, usage, late usage, refunded fees, true-up, SLA credits", () => {
    const { lines } = invoiceOf(part, full);
    expect(lines.map(({ kind, amount, period }) => [kind, amount, period.from.getUTCMonth()])).toEqual([
      ["flat", 500n, 0],
      ["usage", 1000n, 0],
      ["late", 200n, 11],
      ["refund", -12n, 0],
      ["true_up", 500n, 0],
      ["sla_credit", -100n, 0],
    ]);
  });

  test("line-bound coupons apply first, and each coupon applies to the sum of its lines less earlier discounts", () => {
    const { discounts, subtotal } = invoiceOf(part, full);
    expect(subtotal).toBe(2088n);
    expect(discounts).toEqual([
      { coupon: "LINE", amount: 300n },
      { coupon: "HALF", amount: 894n },
    ]);
  });

  test("an SLA credit has the tax rate of the original supply", () => {
    const { taxes, tax: sum } = invoiceOf(part, full);
    expect(taxes.map(({ rate, base, amount }) => [rate, base, amount])).toEqual([
      [toExact(19n), 994n, 189n],
      [toExact(7n), -100n, -7n],
    ]);
    expect(sum).toBe(182n);
  });

  test("the credit balance is used before prepaid credits, and the amount of a negative total is added to the credit balance", () => {
    const paid = invoiceOf(part, { ...full, creditBalance: 500n, prepaid: [grantOf("p", 400)] });
    expect([paid.total, paid.creditApplied, paid.prepaidApplied, paid.amountDue]).toEqual([
      1076n,
      500n,
      [{ id: "p", amount: 400n }],
      176n,
    ]);
    const refunds = [{ meter, period: month(0), exact: toExact(-100n), quantity: 1n }];
    const below = invoiceOf(free, { refunds, tax: standardTax("19"), creditBalance: 500n });
    expect([below.subtotal, below.tax, below.total, below.creditApplied]).toEqual([-100n, -19n, 0n, 0n]);
    expect([below.amountDue, below.toCreditBalance]).toEqual([0n, 119n]);
  });

  test("zero usage has a line only if its price isn't zero; a flat fee of zero has no line", () => {
    const tiers = [{ upTo: null, unit: 0n, flat: 5n }];
    const unused = { quantity: 0n, amounts: [] };
    const priced = (flatAtZero: boolean) =>
      partOf({ [meter]: { price: { model: "graduated", tiers, flatAtZero, freeUnits: 0n }, usage: unused } });
    expect(kindsOf(invoiceOf(priced(true)))).toEqual(["usage"]);
    expect(kindsOf(invoiceOf(priced(false)))).toEqual([]);
  });
});

describe("late usage (docs/spec/billing.md, Arithmetic of invoices)", () => {
  test("costs the price of the period with late usage minus the price billed so far; the result may be negative", () => {
    expect(lateLine(december("200.5"))).toEqual([parseExact("200.5"), 200n, 0n]);
    expect(lateLine(december("-700"))).toEqual([parseExact("-700"), -700n, 0n]);
  });

  test("isn't billed up to the true-up of its own period; its full price is stored for later corrections", () => {
    expect(lateLine(december("2000", { minimum: 10_000n }))).toEqual([0n, 0n, 0n]);
    expect(lateLine(december("6000", { minimum: 10_000n }))).toEqual([parseExact("1000"), 1000n, 0n]);
    const [line] = invoiceOf(free, { late: [december("6000", { minimum: 10_000n })] }).lines;
    expect(line?.pricedExact).toBe(parseExact("6000"));
  });

  test("a negative correction never reduces the cost of its period below the minimum", () => {
    expect(lateLine(december("-7000", { priced: "15000", minimum: 10_000n }))).toEqual([toExact(-5000n), -5000n, 0n]);
  });

  test("the part above the maximum of its period is a discount", () => {
    expect(lateLine(december("2200", { maximum: 6000n }))).toEqual([parseExact("2200"), 2200n, 1200n]);
    expect(invoiceOf(free, { late: [december("2200", { maximum: 6000n })] }).discounts).toEqual([
      { coupon: null, amount: 1200n },
    ]);
  });

  test("a negative correction credits only the part below the maximum of its period", () => {
    // 7000 was capped at 6000: a correction of -500 changes nothing, and a correction of -1500 credits 500.
    const capped = { priced: "7000", maximum: 6000n };
    expect(lateLine(december("-500", capped))).toEqual([0n, 0n, 0n]);
    expect(lateLine(december("-1500", capped))).toEqual([toExact(-500n), -500n, 0n]);
    const volume = { priced: "1000", maximum: 800n };
    expect(lateLine(december("-293", volume))).toEqual([toExact(-93n), -93n, 0n]);
    const { discount, discounts, lines } = invoiceOf(free, { late: [december("-293", volume)] });
    expect([discount, discounts, lines[0]?.pricedExact]).toEqual([0n, [], toExact(-293n)]);
  });

  test("if late usage of an earlier part of a period lowers the remaining maximum, fees of a later part are credited", () => {
    const maximum = { before: toExact(3000n), after: toExact(1000n) };
    const { lines, total, toCreditBalance } = invoiceOf(free, {
      late: [{ ...december("0"), corrections: [], maximum }],
    });
    expect(lines).toMatchObject([{ kind: "late", meter: null, quantity: 0n, exact: toExact(-2000n), pricedExact: 0n }]);
    expect([total, toCreditBalance]).toEqual([0n, 2000n]);
  });

  test("has the plan version and the tax of its own period", () => {
    const late = { ...december("100"), tax: standardTax("16") };
    const { lines, taxes } = invoiceOf(free, { late: [late], tax: standardTax("19") });
    expect(lines.map(({ plan }) => plan)).toEqual([{ id: "old", version: 2 }]);
    expect(taxes.map(({ amount }) => amount)).toEqual([16n]);
  });

  test("converts the supply's amounts if its prices include tax and the invoice's prices don't, or the reverse", () => {
    const [exclusive, inclusive] = [standardTax("25"), { ...standardTax("25"), behaviour: "inclusive" as const }];
    const supplies = (tax: typeof exclusive): Partial<InvoiceInput> => ({
      late: [{ ...december("300"), tax }],
      refunds: [{ meter, period: month(0), exact: toExact(-100n), quantity: 1n, tax }],
      slaCredits: [{ component: "Wallet", period: month(0), exact: toExact(-40n), tax }],
    });
    const exclusiveSupplies = invoiceOf(free, { ...supplies(exclusive), tax: { ...inclusive, rate: toExact(10n) } });
    expect(exclusiveSupplies.lines.map(({ amount, net }) => [amount, net])).toEqual([
      [375n, 300n],
      [-125n, -100n],
      [-50n, -40n],
    ]);
    expect(exclusiveSupplies).toMatchObject({ total: 200n, tax: 40n });
    const inclusiveSupplies = invoiceOf(free, { ...supplies(inclusive), tax: { ...exclusive, rate: toExact(10n) } });
    expect(inclusiveSupplies.lines.map(({ amount }) => amount)).toEqual([240n, -80n, -32n]);
    expect(inclusiveSupplies).toMatchObject({ subtotal: 128n, tax: 32n, total: 160n });
  });
});

describe("amounts that are too large for JSON (docs/spec/billing.md, Amounts)", () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  const usageOf = (amount: bigint) => partOf(linesOf([toExact(amount)]));

  test("an invoice of 2^53 − 1 minor units is computed, and a larger one is refused", () => {
    expect(invoiceOf(usageOf(largest), {}).total).toBe(largest);
    expect(() => invoiceOf(usageOf(largest + 1n), {})).toThrow("exceeds 9007199254740991 minor units");
  });

  test("a sum, the tax, a total with tax and a credit balance are checked too", () => {
    const two = partOf(linesOf([toExact(largest), toExact(1n)]));
    expect(() => invoiceOf(two, {})).toThrow("exceeds");
    expect(() => invoiceOf(usageOf(largest), { tax: standardTax("19") })).toThrow("exceeds");
    const refund = { meter: "successful_charges", period: month(0), exact: toExact(-largest - 1n), quantity: 1n };
    expect(() => invoiceOf(free, { refunds: [refund] })).toThrow("exceeds");
  });
});
