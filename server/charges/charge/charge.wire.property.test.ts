import { isDeepStrictEqual } from "node:util";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unicode } from "../../kernel/text/text.fixture.ts";
import { chargeRequestSchema } from "./charge.wire.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });
const charge = fc.record(
  {
    mandate_id: text,
    amount: fc.integer({ min: 1, max: 99_999_999_999 }),
    currency: fc.constantFrom("EUR", "JPY"),
    payer_presence: fc.constantFrom("in_session", "off_session"),
    capture_method: fc.constantFrom("automatic", "manual"),
    reference: text,
    transaction_id: text,
    metadata: fc.dictionary(
      text.filter((name) => name !== "__proto__"),
      fc.string({ unit: unicode, maxLength: 20 }),
      { maxKeys: 4 },
    ),
  },
  { requiredKeys: ["mandate_id", "amount", "currency", "payer_presence"] },
);

/** The same value with the members of every object in another order. */
const shuffled = (value: unknown, seed: number): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shuffled(member, seed)] as const);
  const turn = members.length === 0 ? 0 : seed % members.length;
  return Object.fromEntries([...members.slice(turn), ...members.slice(0, turn)].reverse());
};

test.each([
  ["20 strings of 500", Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}`, "x".repeat(500)])), true],
  ["a name of 500", { ["n".repeat(500)]: "x" }, true],
  ["500 characters of two UTF-16 units each", { n: "😀".repeat(500) }, true],
  ["21 strings", Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, "x"])), false],
  ["a string of 501", { n: "x".repeat(501) }, false],
  ["501 characters of two UTF-16 units each", { n: "😀".repeat(501) }, false],
  ["a name of 501", { ["n".repeat(501)]: "x" }, false],
  ["a number", { n: 1 }, false],
])(
  "metadata has at most 20 strings, each of at most 500 characters (docs/spec/payments.md, Charges): %s",
  (_, metadata, holds) => {
    const sent = { mandate_id: "mdt_1", amount: 1, currency: "EUR", payer_presence: "in_session", metadata };
    expect(chargeRequestSchema.safeParse(sent).success).toBe(holds);
  },
);

describe("the input of the idempotency key's hash (docs/spec/payments.md, Idempotency; RFC 8785)", () => {
  test("is the request as sent: no defaults are added, and no members are removed", () => {
    fc.assert(
      fc.property(charge, (sent) => {
        expect(chargeRequestSchema.parse(JSON.parse(JSON.stringify(sent)))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });

  test("is the same for the same request in another order and with other spaces", () => {
    fc.assert(
      fc.property(charge, fc.nat(20), fc.nat(4), (sent, seed, indent) => {
        const again = JSON.parse(JSON.stringify(shuffled(sent, seed), null, indent));
        expect(canonicalize(chargeRequestSchema.parse(again))).toBe(canonicalize(chargeRequestSchema.parse(sent)));
      }),
    );
  });

  test("differs if and only if two requests differ", () => {
    const member = fc.constantFrom("reference", "transaction_id", "capture_method", "amount", "metadata");
    fc.assert(
      fc.property(charge, charge, member, (one, another, name) => {
        const other = { ...one, [name]: (another as Record<string, unknown>)[name] };
        const [left, right] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];
        expect(canonicalize(left) === canonicalize(right)).toBe(isDeepStrictEqual(left, right));
        expect(JSON.parse(canonicalize(left) ?? "")).toEqual(left);
      }),
      { numRuns: 200 },
    );
  });

  test("a charge with an unknown member, or a value out of bounds, is refused", () => {
    const wrong = fc.oneof(
      fc.tuple(
        text.map((name) => `x_${name}`),
        fc.jsonValue(),
      ),
      fc.tuple(fc.constant("amount"), fc.oneof(fc.double({ noInteger: true }), fc.integer({ max: 0 }), fc.string())),
      fc.tuple(
        fc.constantFrom("currency", "payer_presence", "capture_method"),
        fc.string().map((name) => `~${name}`),
      ),
      fc.tuple(fc.constantFrom("presentation", "mandate_token"), text),
      fc.tuple(
        fc.constant("reference"),
        text.chain((before) => fc.constantFrom("\n", "\u007f", "\u202e", "\u2028").map((sign) => before + sign)),
      ),
      // A member that zod would drop silently.
      fc.tuple(fc.constant("metadata"), fc.constant(JSON.parse('{"a":"b","__proto__":"c"}'))),
    );
    fc.assert(
      fc.property(charge, wrong, (sent, [member, value]) => {
        expect(chargeRequestSchema.safeParse({ ...sent, [member]: value }).success).toBe(false);
      }),
    );
  });

  test("a reference may contain the joiners of a script or an emoji", () => {
    const references = fc.constantFrom("Order 👨\u200d👩\u200d👧", "می\u200cخواهم", "ශ්\u200dරී");
    fc.assert(
      fc.property(charge, references, (sent, reference) => {
        expect(chargeRequestSchema.safeParse({ ...sent, reference }).success).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});
