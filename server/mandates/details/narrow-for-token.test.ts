import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { narrowerOf, narrowForToken } from "./narrow-for-token.ts";

const limit = { period: "month", alignment: "calendar", max_amount: 500 };
const first = {
  identifier: "mdt_1",
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_total_amount: 900,
  periodic_limits: [limit],
  payees: [{ id: "mch_1" }, { category: "5411" }],
  payer_presence: ["in_session", "off_session"],
  valid_from: "2030-01-01T00:00:00.000Z",
  valid_until: "2030-12-31T00:00:00.000Z",
  step_up_above: 400,
  payment_instrument: { id: "pm_1", type: "card", label: "Visa ending in 4242" },
};
const second = { identifier: "mdt_2", type: "payment_mandate_v1", actions: ["charge"], max_total_amount: 700 };
const granted: AuthorizationDetails[] = [first, second];

const askOf = (from: readonly AuthorizationDetails[], ...items: object[]) =>
  narrowForToken(from, JSON.stringify(items.map((item) => ({ type: "payment_mandate_v1", ...item }))));
const ask = (...items: object[]) => askOf(granted, ...items);
const refused = expect.objectContaining({ code: "invalid_authorization_details" });

test("keeps the named mandates (RFC 9396 §6.1)", () => {
  expect(narrowForToken(granted, undefined)).toEqual(granted);
  expect(ask({ identifier: "mdt_2" })).toEqual([second]);
  expect(ask(second, first)).toEqual([second, first]);
});

test("the order of members doesn't matter (RFC 8259 §4)", () => {
  const periodic_limits = [{ max_amount: 500, alignment: "calendar", period: "month" }];
  expect(ask({ periodic_limits, identifier: "mdt_1" })).toEqual([first]);
});

test("refuses a number that equals or narrows the granted number only after rounding", () => {
  for (const amount of ["900.0000000000000001", "899.9999999999999999999", "8e2", "800.0"]) {
    const text = `[{"type":"payment_mandate_v1","identifier":"mdt_1","max_total_amount":${amount}}]`;
    expect(() => narrowForToken(granted, text)).toThrow(refused);
  }
});

test("keeps one copy of a mandate that is named twice, and refuses two different versions of it", () => {
  expect(ask({ identifier: "mdt_1" }, { identifier: "mdt_1" })).toEqual([first]);
  expect(() => ask({ identifier: "mdt_1" }, { identifier: "mdt_1", max_total_amount: 1 })).toThrow(refused);
});

describe("each member may be narrower; absent members keep their granted values", () => {
  test.each<[string, JsonObject]>([
    ["fewer actions", { actions: ["verify"] }],
    ["a lower cap", { max_total_amount: 899 }],
    ["a cap that was not granted", { max_payments: 1 }],
    ["a lower cap of a period", { periodic_limits: [{ ...limit, max_amount: 499 }] }],
    ["fewer payees", { payees: [{ id: "mch_1" }] }],
    ["fewer kinds of presence", { payer_presence: ["in_session"] }],
    ["a later beginning", { valid_from: "2030-02-01T00:00:00Z" }],
    ["an earlier end", { valid_until: "2030-11-30T00:00:00Z" }],
    ["an earlier step-up", { step_up_above: 399 }],
  ])("%s", (_title, narrowing) => {
    expect(ask({ identifier: "mdt_1", ...narrowing })).toEqual([{ ...first, ...narrowing }]);
  });

  test("adds payees if any registered merchant was allowed", () => {
    expect(ask({ identifier: "mdt_2", payees: [{ id: "mch_9" }] })).toEqual([{ ...second, payees: [{ id: "mch_9" }] }]);
  });

  test("adds a limit for a period", () => {
    const day = { period: "day", alignment: "calendar", max_amount: 20 };
    expect(ask({ identifier: "mdt_1", periodic_limits: [day] })).toEqual([{ ...first, periodic_limits: [limit, day] }]);
  });
});

describe("a wider value is invalid_authorization_details, naming the field", () => {
  test.each<[string, JsonObject]>([
    ["actions", { actions: [] }],
    ["max_total_amount", { max_total_amount: 901 }],
    ["max_total_amount", { max_total_amount: 0 }],
    ["max_total_amount", { max_total_amount: "5" }],
    ["max_total_amount", { max_total_amount: null }],
    ["periodic_limits", { periodic_limits: [{ ...limit, max_amount: 501 }] }],
    ["payees", { payees: [{ id: "mch_2" }] }],
    ["payees", { payees: [] }],
    ["valid_from", { valid_from: "2029-12-31T23:59:59Z" }],
    ["valid_until", { valid_until: "2030-12-31T00:00:01Z" }],
    ["valid_until", { valid_until: "2029-12-31T00:00:00Z" }],
    ["step_up_above", { step_up_above: 401 }],
    ["locations", { locations: ["https://pay.example/merchant_test"] }],
  ])("%s (%j)", (field, widening) => {
    const naming = { code: "invalid_authorization_details", description: expect.stringContaining(`[0].${field}`) };
    expect(() => ask({ identifier: "mdt_1", ...widening })).toThrow(expect.objectContaining(naming));
  });

  test("refuses an action and a presence that were not granted", () => {
    expect(() => ask({ identifier: "mdt_2", actions: ["verify"] })).toThrow(refused);
    expect(() => ask({ identifier: "mdt_2", payer_presence: ["off_session"] })).toThrow(refused);
  });

  test.each<JsonObject>([
    { currency: "USD" },
    { type: "payment_mandate_v2" },
    { purpose: "Something else" },
    { refund_policy: "restore" },
    { time_zone: "Asia/Tokyo" },
    { payment_instrument: { id: "pm_2", type: "card", label: "Visa ending in 1881" } },
    { toString: 1 },
    { unknown_member: true },
  ])("%j can't be narrowed, only repeated as granted", (change) => {
    expect(() => ask({ identifier: "mdt_1", ...change })).toThrow(refused);
  });
});

test.each([
  "null",
  "{}",
  "[]",
  "[1]",
  "[[]]",
  "[{}]",
  "{",
  '[{"type":"payment_mandate_v1"}]',
  '[{"type":"payment_mandate_v1","identifier":"mdt_3"}]',
  '[{"type":"payment_mandate_v1","identifier":["mdt_1"]}]',
  '[{"type":"payment_mandate_v1","identifier":"mdt_1","purpose":"\\u0000"}]',
  JSON.stringify([{ type: "payment_mandate_v1", identifier: "mdt_1", purpose: "x".repeat(16 * 1024) }]),
  JSON.stringify(
    Array.from({ length: 11 }, (_, index) => ({ type: "payment_mandate_v1", identifier: `mdt_${index}` })),
  ),
  `[{"type":"payment_mandate_v1","identifier":"mdt_1","periodic_limits":${"[".repeat(8_000)}${"]".repeat(8_000)}}]`,
])("anything else is refused with invalid_authorization_details (case %#)", (requested) => {
  expect(() => narrowForToken(granted, requested)).toThrow(refused);
});

test("refuses an item without a type, naming it (RFC 9396 §2)", () => {
  const naming = { code: "invalid_authorization_details", description: "authorization_details[0].type: is missing" };
  expect(() => narrowForToken(granted, '[{"identifier":"mdt_1"}]')).toThrow(expect.objectContaining(naming));
});

test("a result is never wider than the granted details, and narrowing it again by the same request changes nothing", () => {
  const item = fc.record(
    {
      identifier: fc.constantFrom("mdt_1", "mdt_2"),
      max_total_amount: fc.integer({ min: 1, max: 1000 }),
      max_payments: fc.integer({ min: 1, max: 5 }),
      step_up_above: fc.integer({ min: 1, max: 500 }),
      actions: fc.subarray(["verify", "charge"]),
      payees: fc.subarray<unknown>(first.payees),
    },
    { requiredKeys: ["identifier"] },
  );
  fc.assert(
    fc.property(item, (requested) => {
      let got: readonly AuthorizationDetails[];
      try {
        got = ask(requested);
      } catch {
        return;
      }
      const before = granted.find(({ identifier }) => identifier === requested.identifier);
      const [after] = got;
      expect(askOf(got, requested)).toEqual(got);
      expect(Number(after?.["max_total_amount"])).toBeLessThanOrEqual(Number(before?.["max_total_amount"]));
      expect(before?.["actions"]).toEqual(expect.arrayContaining(after?.["actions"] as unknown[]));
    }),
  );
});

describe("the narrower of a token's details and the mandate's current details", () => {
  test("is equal to both while nothing changed", () => {
    expect(narrowerOf(first, { ...first })).toEqual(first);
  });

  test("is the mandate's version if the payer narrowed the mandate, and the token's version if a consent widened the mandate", () => {
    const less = { ...first, max_total_amount: 100 };
    expect(narrowerOf(first, less)).toEqual(less);
    expect(narrowerOf(less, first)).toEqual(less);
  });

  test("is null if the mandate changed in both directions, or can't be compared", () => {
    expect(narrowerOf(first, { ...first, max_total_amount: 100, step_up_above: 500 })).toBeNull();
    expect(narrowerOf(first, { ...first, currency: "USD" })).toBeNull();
  });
});
