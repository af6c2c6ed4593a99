import { describe, expect, test } from "vitest";
import { expectFieldProblem, expectProblem } from "../../support/answers/error-shape.ts";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";

const { sandboxUrl, productionUrl } = currentInstance();

type Estimate = {
  invoice: { lines: { id: string; exact: string }[]; subtotal: number; total: number };
  explanation: { line: string; steps: { exact: string }[] }[];
};

const post = (body: object, base = sandboxUrl) =>
  send(`${base}/billing/estimate`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://calculator.example" },
    body: JSON.stringify({ plan: "pro", currency: "EUR", usage: {}, ...body }),
  });

describe("POST /billing/estimate (docs/spec/billing.md, Estimate)", () => {
  test.each([
    ["production", productionUrl],
    ["the sandbox", sandboxUrl],
  ])("estimates with the plans of %s for anyone, from any origin", async (_name, base) => {
    const usage = { tokens_issued: 25_000, successful_charges: [{ amount: 10_000, count: 100 }] };
    const answer = await post({ usage, tax_region: "DE", coupons: ["LAUNCH"] }, base);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { invoice, explanation } = answer.json as unknown as Estimate;
    // 4900 flat, 15,000 tokens at 0.8, 100 charges at 29: 19,800, less 20%, plus 19% tax.
    expect(invoice).toMatchObject({ subtotal: 19_800, discount: 3960, tax: 3010, total: 18_850, amount_due: 18_850 });
    expect(explanation.map(({ line, steps }) => [line, steps.map(({ exact }) => exact)])).toEqual([
      ["line_1", ["4900"]],
      ["line_2", ["0", "12000"]],
      ["line_3", ["2900"]],
    ]);
  });

  test.each([
    ["an unknown plan", { plan: "unknown" }, 404, "plan_not_found"],
    ["an unknown version", { version: 1_000_000 }, 404, "plan_not_found"],
    ["a currency in which the plan has no prices", { currency: "JPY" }, 422, "currency_not_priced"],
    ["an unknown coupon", { coupons: ["UNKNOWN"] }, 422, "coupon_not_applicable"],
    ["a quantity that is too large", { usage: { tokens_issued: 1e18 } }, 422, "estimate_too_large"],
  ])("refuses %s", async (_what, body, status, code) => {
    expectProblem(await post(body), status, code);
  });

  test.each([
    ["an unknown meter", { usage: { tokens: 1 } }, "/usage/tokens"],
    ["an unknown tax region", { tax_region: "nowhere" }, "/tax_region"],
    ["a fraction of a unit", { usage: { tokens_issued: 0.5 } }, "/usage/tokens_issued"],
    ["an unknown member", { vat: "19" }, "/vat"],
  ])("names the field of %s", async (_what, body, pointer) => {
    expectFieldProblem(await post(body), pointer);
  });
});
