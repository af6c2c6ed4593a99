import { expect, test } from "vitest";
import { narrowedDetails } from "./refresh.ts";

const limit = { period: "month", alignment: "calendar", max_amount: 500 };
const granted = [
  { identifier: "mdt_1", type: "payment_mandate_v1", max_total_amount: 900, periodic_limits: [limit] },
  { identifier: "mdt_2", type: "payment_mandate_v1", max_total_amount: 700 },
];

test("keeps the mandates that are named (RFC 9396 §6.1)", () => {
  expect(narrowedDetails(granted, undefined)).toEqual(granted);
  expect(narrowedDetails(granted, JSON.stringify([{ identifier: "mdt_2" }]))).toEqual([granted[1]]);
});

test("members in another order are the same details (RFC 8259 §4)", () => {
  const asked = [
    { periodic_limits: [{ max_amount: 500, alignment: "calendar", period: "month" }], identifier: "mdt_1" },
  ];
  expect(narrowedDetails(granted, JSON.stringify(asked))).toEqual([granted[0]]);
});

test("a mandate named twice is kept once, so that the token is live", () => {
  const asked = [{ identifier: "mdt_1" }, { identifier: "mdt_1" }];
  expect(narrowedDetails(granted, JSON.stringify(asked))).toEqual([granted[0]]);
});

test.each([
  "null",
  "{}",
  "[1]",
  "[{}]",
  '[{"identifier":"mdt_3"}]',
  '[{"identifier":"mdt_1","max_total_amount":901}]',
  '[{"identifier":"mdt_1","toString":1}]',
  `[{"identifier":"mdt_1","periodic_limits":${"[".repeat(30_000)}${"]".repeat(30_000)}}]`,
])("anything else is invalid_authorization_details (%#)", (asked) => {
  expect(() => narrowedDetails(granted, asked)).toThrow(
    expect.objectContaining({ code: "invalid_authorization_details" }),
  );
});
