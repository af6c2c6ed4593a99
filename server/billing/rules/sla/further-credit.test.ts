import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExact } from "../exact/exact.ts";
import { creditableFees, divideFurtherCredit, sumLeft } from "./further-credit.ts";

const periodFrom = new Date("2026-10-01T00:00:00Z");
const feeOf = (meter: string, fee: bigint, currency = "EUR") => ({ currency, meter, periodFrom, fee });

describe("further SLA credits (docs/spec/billing.md, SLA credits)", () => {
  test("only the fees of the component's meters can be credited, minus the amounts that earlier credits gave back", () => {
    const fees = [
      feeOf("tokens_issued", 100n),
      feeOf("step_ups", 50n),
      feeOf("own:sms", 70n),
      feeOf("introspections", 20n, "USD"),
      feeOf("webhooks_delivered", 10n),
    ];
    const earlier = [
      { currency: "EUR", meter: "step_ups", periodFrom, exact: 20n, percent: parseExact("40") },
      { currency: "EUR", meter: "webhooks_delivered", periodFrom, exact: 10n, percent: parseExact("100") },
    ];
    const of = (component: string) =>
      creditableFees(fees, { component, currency: "EUR", earlier }).map(({ meter, left }) => [meter, left]);
    expect(of("authorization_server")).toEqual([
      ["tokens_issued", 100n],
      ["step_ups", 30n],
    ]);
    expect(of("wallet_portal")).toEqual([["step_ups", 30n]]);
    expect(of("billing_engine")).toEqual([["own:sms", 70n]]);
    expect(of("static_assets")).toEqual([]);
  });

  test("the parts sum to the amount, and no part is larger than the uncredited rest of its fee", () => {
    const lefts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 6 });
    const property = fc.property(lefts, fc.integer({ min: 1, max: 10_000 }), (left, share) => {
      const fees = left.map((one, index) => ({ ...feeOf(`own:m${index}`, one), left: one, earlierPercent: 0n }));
      const amount = (sumLeft(fees) * BigInt(share)) / 10_000n;
      const parts = divideFurtherCredit(amount, fees);
      expect(parts.reduce((sum, { exact }) => sum + exact, 0n)).toBe(amount);
      for (const part of parts) expect(part.exact > 0n && part.exact <= part.left).toBe(true);
    });
    fc.assert(property);
  });

  test("the percentage of a part is relative to the whole fee before earlier credits", () => {
    const fee = { ...feeOf("successful_charges", 75n), left: 75n, earlierPercent: parseExact("25") };
    const percentOf = (amount: bigint) => divideFurtherCredit(amount, [fee])[0]?.percent;
    expect(percentOf(75n)).toBe(parseExact("75"));
    expect(percentOf(30n)).toBe(parseExact("30"));
  });
});
