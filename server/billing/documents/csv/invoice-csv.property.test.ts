import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Exact, exactUnit, formatExact, parseExact, roundToMinor } from "../../rules/exact/exact.ts";
import { noUsage } from "../../rules/plans/terms.ts";
import { chargePrice, unitPrice } from "../../rules/prices/price-model.fixture.ts";
import { priceUsage } from "../../rules/prices/price-steps.ts";
import { makeIssuedInvoice } from "../issued-invoice.fixture.ts";
import { invoiceCsv } from "./invoice-csv.ts";
import { priceEachEvent } from "./price-each-event.ts";

const [, template] = makeIssuedInvoice().invoice.lines;

const inBatches = async function* <T>(items: readonly T[]) {
  for (let start = 0; start < items.length; start += 3) yield items.slice(start, start + 3);
};

const late = { kind: "late", meter: "own:sms", quantity: 1 } as const;

/** The CSV rows of a line for late usage with one event, without the header row. */
const lateRows = async (of: { event: Exact; priced: Exact; exact: Exact }): Promise<string[][]> => {
  if (!template) throw new Error("the sample has no usage line");
  const line = { ...template, ...late, exact: formatExact(of.exact), amount: Number(roundToMinor(of.exact)) };
  const batches = inBatches([{ id: "uev_1", time: new Date(0), quantity: 1n, amountMinor: null }]);
  let text = "";
  for await (const part of invoiceCsv([line], async () => ({ batches, price: () => of.event, pricedExact: of.priced })))
    text += part;
  return text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((row) => row.split(","));
};

/** The CSV of one line with these events, as rows of cells. */
const rowsOf = async (price: Parameters<typeof priceEachEvent>[0], events: readonly (bigint | null)[][]) => {
  if (!template) throw new Error("the sample has no usage line");
  const made = events.map(([quantity, amountMinor], index) => ({
    id: `uev_${index}`,
    time: new Date(1_795_000_000_000 + index),
    quantity: quantity ?? 1n,
    amountMinor: amountMinor ?? null,
  }));
  const quantity = made.reduce((sum, one) => sum + one.quantity, 0n);
  const amounts = made.flatMap(({ amountMinor }) => (amountMinor === null ? [] : [{ amountMinor, count: 1n }]));
  const exact = priceUsage(price, { quantity, amounts });
  const line = { ...template, exact: formatExact(exact), amount: Number(roundToMinor(exact)) };
  let text = "";
  for await (const part of invoiceCsv([line], async () => ({
    batches: inBatches(made),
    price: priceEachEvent(price),
    pricedExact: null,
  })))
    text += part;
  const [head, ...rows] = text.trimEnd().split("\r\n");
  return { head, line, rows: rows.map((row) => row.split(",")), count: made.length };
};

const total = (rows: readonly string[][]): bigint => rows.reduce((sum, row) => sum + parseExact(row.at(-1) ?? "0"), 0n);

describe("the CSV of an invoice (docs/spec/billing.md, Documents)", () => {
  test("the rows of a line sum to its amount, with one row per event and the rounding in the last row", async () => {
    const unitEvents = fc.array(fc.tuple(fc.bigInt(1n, 40n), fc.constant(null)), { minLength: 1, maxLength: 12 });
    const charges = fc.array(fc.tuple(fc.constant(1n), fc.bigInt(1n, 5_000n)), { minLength: 1, maxLength: 12 });
    const cases = fc.oneof(fc.tuple(unitPrice, unitEvents), fc.tuple(chargePrice, charges));
    await fc.assert(
      fc.asyncProperty(cases, async ([price, events]) => {
        const { rows, line, count } = await rowsOf(price, events);
        expect(total(rows)).toBe(BigInt(line.amount) * 10n ** 12n);
        const isWhole = total(rows.slice(0, count)) === BigInt(line.amount) * 10n ** 12n;
        expect(rows.length).toBe(isWhole ? count : count + 1);
        if (!isWhole) expect(rows.at(-1)?.[1]).toBe("rounding");
      }),
      { numRuns: 200 },
    );
  });

  test("late usage: the changed price of earlier usage and the amount that the true-up covers have separate rows", async () => {
    const amount = fc.bigInt(-(10n ** 16n), 10n ** 16n);
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, async (event, priced, exact) => {
        const rows = await lateRows({ event, priced, exact });
        expect(total(rows)).toBe(roundToMinor(exact) * exactUnit);
        const [, ...others] = rows.map(([, kind, , , , , text]) => [kind, text]);
        expect(others).toEqual(
          [
            ["late", formatExact(priced - event)],
            ["adjustment", formatExact(exact - priced)],
            ["rounding", formatExact(roundToMinor(exact) * exactUnit - exact)],
          ].filter(([, text]) => text !== "0"),
        );
      }),
      { numRuns: 100 },
    );
  });

  test("has the columns of the specification, and one row for a line without events", async () => {
    const { lines } = makeIssuedInvoice().invoice;
    let text = "";
    for await (const part of invoiceCsv(lines, async () => null)) text += part;
    const [head, flat] = text.split("\r\n");
    expect(head).toBe("line_id,kind,meter,event_id,time,quantity,exact");
    expect(flat).toBe("il_1,flat,,,2026-10-01T00:00:00.000Z,1,4900");
  });

  test("late events are priced on top of the usage that was billed earlier", () => {
    const price = { model: "package", size: 10n, amount: 1_500n, freeUnits: 0n } as const;
    const each = priceEachEvent(price, { quantity: 17n, amounts: [] });
    expect([each({ quantity: 3n, amountMinor: null }), each({ quantity: 2n, amountMinor: null })]).toEqual([
      0n,
      parseExact("1500"),
    ]);
  });

  test("if a flat amount was billed for an earlier part without usage, the price of the first event doesn't contain this amount", () => {
    const tiers = [{ upTo: null, unit: parseExact("2"), flat: 300n }];
    const price = { model: "graduated", tiers, flatAtZero: true, freeUnits: 0n } as const;
    const event = { quantity: 5n, amountMinor: null };
    expect(priceEachEvent(price, noUsage)(event)).toBe(parseExact("10"));
    expect(priceEachEvent(price)(event)).toBe(parseExact("310"));
  });

  test("the part of refunded fees that credits had already returned has its own row", async () => {
    if (!template) throw new Error("the sample has no usage line");
    const line = { ...template, kind: "refund" as const, exact: "-7.25", amount: -7 };
    const batches = inBatches([{ id: "rfd_1", time: new Date(0), quantity: 1n, amountMinor: 100n }]);
    const price = () => parseExact("-10");
    let text = "";
    for await (const part of invoiceCsv([line], async () => ({ batches, price, pricedExact: null }))) text += part;
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect(rows.map((row) => row.split(",")).map(([, kind, , id, , , exact]) => [kind, id, exact])).toEqual([
      ["refund", "rfd_1", "-10"],
      ["adjustment", "", "2.75"],
      ["rounding", "", "0.25"],
    ]);
  });
});
