import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { negotiate } from "./accept.ts";

const offered = ["application/vc+jwt", "application/statuslist+jwt", "text/plain"] as const;

type Range = { range: string; thousandths: number | null };

const ranges = fc.uniqueArray(
  fc.record({
    range: fc.constantFrom(...offered, "application/*", "text/*", "image/*", "*/*", "application/json"),
    thousandths: fc.option(fc.nat(1000)),
  }),
  { selector: ({ range }) => range, minLength: 1, maxLength: 6 },
);

/** RFC 9110 §12.4.2: up to three digits. */
const weight = (thousandths: number) => (thousandths === 1000 ? "1" : `0.${String(thousandths).padStart(3, "0")}`);
const write = (list: readonly Range[]) =>
  list.map(({ range, thousandths }) => (thousandths === null ? range : `${range};q=${weight(thousandths)}`)).join(", ");

/** The reference model: each offer's weight from the most specific range that covers it (RFC 9110 §12.5.1). */
const slowNegotiate = (list: readonly Range[]): string | null => {
  const weigh = (type: string) => {
    const [kind] = type.split("/");
    const covering = [type, `${kind}/*`, "*/*"]
      .map((range) => list.find((given) => given.range === range))
      .find(Boolean);
    return covering ? (covering.thousandths ?? 1000) : 0;
  };
  const best = Math.max(...offered.map(weigh));
  return best === 0 ? null : (offered.find((type) => weigh(type) === best) ?? null);
};

describe("negotiate (RFC 9110 §12.5.1)", () => {
  test("agrees with a simple reference model", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        expect(negotiate(write(list), offered)).toBe(slowNegotiate(list));
      }),
    );
  });

  test("order, case, spaces and ranges without an offer don't change the result", () => {
    const noise = fc.constantFrom("", "image/png", "x", "a/b/c;q=", ";q=0");
    fc.assert(
      fc.property(ranges, noise, fc.boolean(), (list, other, upper) => {
        const text = `${other} ,  ${write(list.toReversed()).replaceAll(";", " ; ")}`;
        expect(negotiate(upper ? text.toUpperCase() : text, offered)).toBe(negotiate(write(list), offered));
      }),
    );
  });

  test("a type with q=0 is never chosen", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const given = negotiate(write(list), offered);
        if (given === null) return;
        const without = [...list.filter(({ range }) => range !== given), { range: given, thousandths: 0 }];
        expect(negotiate(write(without), offered)).not.toBe(given);
      }),
    );
  });
});
