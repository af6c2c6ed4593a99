import { describe, expect, test } from "vitest";
import { parseExact } from "../exact/exact.ts";
import { slaCreditsOf, slaPercentOf } from "./sla-credits.ts";
import { slaDueAt, slaMonthDueAt } from "./sla-months.ts";

const periodFrom = new Date("2026-10-01T00:00:00Z");
const feeOf = (meter: string, fee: string) => ({ currency: "EUR", meter, periodFrom, fee: parseExact(fee) });

describe("SLA credits (docs/spec/billing.md, SLA credits)", () => {
  test.each([
    ["100.000", 0],
    ["99.900", 0],
    ["99.899", 10],
    ["98.901", 10],
    ["98.900", 25],
    ["94.901", 25],
    ["94.900", 50],
    ["0.000", 50],
  ])("uptime of %s%% against an objective of 99.9%% gives a credit of %i%%", (uptime, percent) => {
    expect(slaPercentOf(uptime, 9990)).toBe(percent);
  });

  test("a component's credit is a percentage of the exact fees of the meters that it serves", () => {
    const fees = [feeOf("tokens_issued", "33.333333333333"), feeOf("own:sms", "20"), feeOf("step_ups", "0")];
    const credits = slaCreditsOf(fees, [{ component: "authorization_server", percent: 25 }]);
    expect(credits.map(({ meter, exact }) => [meter, exact])).toEqual([
      ["tokens_issued", parseExact("8.333333333333")],
    ]);
    const own = slaCreditsOf(fees, [{ component: "billing_engine", percent: 10 }]);
    expect(own.map(({ meter, exact }) => [meter, exact])).toEqual([["own:sms", parseExact("2")]]);
    expect(slaCreditsOf(fees, [{ component: "static_assets", percent: 50 }])).toEqual([]);
  });

  test("the credits of all components that serve a meter sum to at most the meter's fee", () => {
    const failed = [
      { component: "authorization_server", percent: 50 },
      { component: "wallet_portal", percent: 50 },
    ] as const;
    const credits = slaCreditsOf([feeOf("step_ups", "9")], [...failed, failed[1]]);
    expect(credits.map(({ component, exact }) => [component, exact])).toEqual([
      ["authorization_server", parseExact("4.5")],
      ["wallet_portal", parseExact("4.5")],
    ]);
  });

  test.each(["2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00Z"])(
    "the credits of the month of %s are due on the third UTC day of January",
    (at) => {
      const due = slaDueAt(new Date(at));
      expect(due).toEqual(new Date("2027-01-03T00:00:00Z"));
      expect(slaMonthDueAt(due)).toEqual({
        from: new Date("2026-12-01T00:00:00Z"),
        to: new Date("2027-01-01T00:00:00Z"),
      });
    },
  );
});
