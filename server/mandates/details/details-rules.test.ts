import { describe, expect, test } from "vitest";
import type { Config } from "../../deps/config.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { detailsFieldRules } from "./details-rules.ts";
import { fieldProblems } from "./payment-mandate.wire.ts";
import { readAuthorizationDetails } from "./validate-authorization-details.ts";

const deps = { config: { baseUrl: "https://pay.example" } as Config };
const at = new Date("2026-11-21T10:00:00Z") as BusinessTime;
const valid = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 10_000 };
const limit = { period: "month", alignment: "calendar", max_amount: 100 };
const limited = (change: object) => ({ periodic_limits: [limit, { ...limit, alignment: "consent", ...change }] });

/** For each rule: details that break only this rule, and the place that the refusal names. */
const wrong: Readonly<Record<string, readonly [change: object, reported?: string][]>> = {
  identifier: [[{ identifier: "" }]],
  actions: [[{ actions: [] }], [{ actions: ["refund"] }], [{ actions: ["charge", "charge"] }]],
  locations: [[{ locations: ["nowhere"] }]],
  currency: [[{ currency: undefined }], [{ currency: "eur" }]],
  max_amount_per_payment: [[{ max_amount_per_payment: 0 }]],
  max_total_amount: [[{ max_total_amount: "1" }]],
  max_payments: [[{ max_payments: 1.5 }]],
  "periodic_limits[].period": [[limited({ period: "hour" }), "periodic_limits[1].period"]],
  "periodic_limits[].alignment": [[limited({ alignment: undefined }), "periodic_limits[1].alignment"]],
  "periodic_limits[].max_amount": [[limited({ max_amount: 0 }), "periodic_limits[1].max_amount"]],
  "periodic_limits[].max_payments": [[limited({ max_payments: null }), "periodic_limits[1].max_payments"]],
  "periodic_limits[]": [
    [limited({ max_amount: undefined }), "periodic_limits[1]"],
    [{ periodic_limits: ["monthly"] }, "periodic_limits[0]"],
  ],
  periodic_limits: [[limited({ alignment: "calendar" })], [{ periodic_limits: {} }]],
  time_zone: [[{ time_zone: "+01:00" }]],
  "payees[]": [[{ payees: [{ category: "5411" }, { category: "0001" }] }, "payees[1]"]],
  payees: [[{ payees: [{ category: "5411" }, { category: "5411" }] }]],
  valid_from: [[{ valid_from: "9999-12-31T23:59:59Z" }]],
  valid_until: [[{ valid_until: "2027-02-30T00:00:00Z" }]],
  payer_presence: [[{ payer_presence: ["asleep"] }]],
  step_up_above: [[{ step_up_above: -1 }]],
  refund_policy: [[{ refund_policy: "keep" }]],
  purpose: [[{ purpose: "x".repeat(141) }], [{ purpose: "a\nb" }]],
  "": [[{ max_total_amount: undefined }]],
};

const read = (item: object): unknown => {
  try {
    return readAuthorizationDetails(deps, { raw: [{ ...valid }, item], replaceable: null, at });
  } catch (error) {
    return isOAuthError(error) && [error.code, error.description];
  }
};

describe("an invalid value at each place of payment_mandate_v1 is refused with the text of its rule (RFC 9396 §5)", () => {
  const rows = Object.entries(wrong).flatMap(([place, changes]) =>
    changes.map(([change, reported = place]) => [reported, place, change] as const),
  );
  test.each(rows)("%s", (reported, place, change) => {
    const where = ["authorization_details[1]", ...(reported === "" ? [] : [reported])].join(".");
    expect(read(JSON.parse(JSON.stringify({ ...valid, ...change })))).toEqual([
      "invalid_authorization_details",
      `${where}: ${fieldProblems.get(place)}`,
    ]);
  });

  test("names the place of an unknown field", () => {
    const unknown = (where: string) => ["invalid_authorization_details", `${where}: unknown field`];
    expect(read({ ...valid, tip: 1 })).toEqual(unknown("authorization_details[1].tip"));
    expect(read({ ...valid, "<script>": 1 })).toEqual(unknown("authorization_details[1]"));
    expect(read({ ...valid, ...limited({ tip: 1 }) })).toEqual(
      unknown("authorization_details[1].periodic_limits[1].tip"),
    );
  });

  test("the examples and the documented rules cover every place", () => {
    expect(Object.keys(wrong)).toEqual([...fieldProblems.keys()]);
    expect(detailsFieldRules.rules.slice(1).map(({ problem }) => problem)).toEqual([...fieldProblems.values()]);
  });
});
