import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentDuring } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { applyCatalogue } from "../../billing/catalogue/apply-catalogue.ts";
import type { EstimateObject } from "../../billing/estimate/estimate.wire.ts";
import { parseExact } from "../../billing/rules/exact/exact.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { estimateEndpoint } from "./estimate.ts";

const catalogue = (flat: number) => `
catalogue: 1
plans:
  pro:
    name: Pro
    effective_from: 2027-01-15
    interval: month
    currencies:
      EUR:
        flat: ${flat}
        minimum: 10000
        prices:
          tokens_issued: {model: graduated, tiers: [{up_to: 10000, unit: "0"}, {unit: "0.8"}]}
          successful_charges: {model: basis_points, rate: "29", min: "5", max: "1200"}
          "own:sms_sent": {model: package, size: 100, amount: 500, free_units: 200}
      JPY: {flat: 700, maximum: 1000, prices: {step_ups: {model: per_unit, unit: "30"}}}
  count:
    name: Count
    effective_from: 2027-01-15
    interval: year
    currencies:
      EUR:
        prices:
          successful_charges: {model: per_unit, unit: "2.5"}
          step_ups: {model: volume, flat_at_zero: true, tiers: [{up_to: 10, unit: "3", flat: 100}, {unit: "2"}]}
  hidden: {name: Hidden, effective_from: 2027-01-15, interval: month, public: false, currencies: {EUR: {flat: 1}}}
coupons:
  LAUNCH: {percent: "20", plans: [pro]}
  TOKENS: {amount: 2500, currency: EUR, meters: [tokens_issued]}
  DOLLARS: {amount: 100, currency: USD}
  OTHERS: {percent: "10", plans: [count]}
  SMS: {percent: "50", meters: ["own:letters"]}
tax_rates:
  DE: {category: S, rate: "19", behaviour: exclusive}
  DE-GROSS: {category: S, rate: "19", behaviour: inclusive}
`;

const now = new Date("2027-01-31T12:00:00Z");
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2027-01-15T00:00:00Z") });
  provideDeps(deps);
  const apply = (text: string) =>
    applyCatalogue(deps, { text, isDryRun: false, actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" });
  expect(await apply(catalogue(4900))).toMatchObject({ outcome: "changed" });
  expect(
    await apply(
      catalogue(4900)
        .replace("effective_from: 2027-01-15\n    interval: month", "effective_from: 2027-03-01\n    interval: month")
        .replace("flat: 4900", "flat: 5900"),
    ),
  ).toMatchObject({ outcome: "changed" });
  deps.clock.set(now);
});
afterAll(() => deps.close());

const handler = serve(estimateEndpoint);
type Problem = { type?: string; detail?: string; errors?: { pointer: string; detail: string }[] };

const send = async (body: object): Promise<{ status: number; json: EstimateObject & Problem }> => {
  const request = new Request(`${deps.config.baseUrl}/billing/estimate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const response = await handler(request);
  return { status: response.status, json: (await response.json()) as EstimateObject & Problem };
};

const estimate = async (body: object): Promise<EstimateObject> => {
  const { status, json } = await send({ plan: "pro", currency: "EUR", usage: {}, ...body });
  expect([status, json.errors]).toEqual([200, undefined]);
  return json;
};

const amountsOf = ({ invoice: { lines } }: EstimateObject) =>
  lines.map(({ kind, meter, quantity, exact, amount, discount, net }) => [
    kind,
    meter,
    quantity,
    exact,
    amount,
    discount,
    net,
  ]);

describe("POST /billing/estimate (docs/spec/billing.md, Estimate)", () => {
  test("prices flat fee, usage and minimum in the order of the plan, and explains each line", async () => {
    const usage = {
      "own:sms_sent": 401,
      successful_charges: [
        { amount: 1000, count: 2 },
        { amount: 2_000_000, count: 1 },
      ],
      tokens_issued: 10_003,
    };
    const found = await estimate({ usage, tax_region: "DE" });
    expect(amountsOf(found)).toEqual([
      ["flat", null, 1, "4900", 4900, 0, 4900],
      ["usage", "tokens_issued", 10_003, "2.4", 2, 0, 2],
      ["usage", "successful_charges", 3, "1210", 1210, 0, 1210],
      ["usage", "own:sms_sent", 401, "1500", 1500, 0, 1500],
      ["true_up", null, 1, "2388", 2388, 0, 2388],
    ]);
    expect(found.explanation.map(({ line, steps }) => [line, steps.map(({ exact }) => exact)])).toEqual([
      ["line_1", ["4900"]],
      ["line_2", ["0", "2.4"]],
      ["line_3", ["10", "1200"]],
      ["line_4", ["0", "1500"]],
      ["line_5", ["2388"]],
    ]);
    expect(found.explanation[1]?.steps).toEqual([
      { from: 0, to: 10_000, units: 10_000, exact: "0" },
      { from: 10_000, to: 10_003, units: 3, exact: "2.4" },
    ]);
    expect(found.invoice).toMatchObject({
      number: null,
      type: "invoice",
      status: "draft",
      currency: "EUR",
      plan: { id: "pro", version: 1 },
      period: { from: "2027-01-31T00:00:00.000Z", to: "2027-02-28T00:00:00.000Z" },
      taxes: [{ category: "S", rate: "19", base: 10_000, amount: 1900 }],
      subtotal: 10_000,
      discount: 0,
      tax: 1900,
      total: 11_900,
      amount_due: 11_900,
    });
  });

  test("each line's steps sum to its exact amount", async () => {
    const found = await estimate({ plan: "count", usage: { step_ups: 0, successful_charges: 7 } });
    expect(amountsOf(found)).toEqual([
      ["usage", "successful_charges", 7, "17.5", 18, 0, 18],
      ["usage", "step_ups", 0, "100", 100, 0, 100],
    ]);
    const sums = found.explanation.map(({ steps }) => steps.reduce((sum, { exact }) => sum + parseExact(exact), 0n));
    expect(sums).toEqual(found.invoice.lines.map(({ exact }) => parseExact(exact)));
  });

  test("prorates the flat fee and the minimum, but not free units or tiers", async () => {
    const found = await estimate({ days: { used: 10, of: 31 }, usage: { tokens_issued: 10_010, "own:sms_sent": 201 } });
    expect(amountsOf(found)).toEqual([
      ["flat", null, 1, "1580.645161290323", 1581, 0, 1581],
      ["usage", "tokens_issued", 10_010, "8", 8, 0, 8],
      ["usage", "own:sms_sent", 201, "500", 500, 0, 500],
      ["true_up", null, 1, "1137", 1137, 0, 1137],
    ]);
  });

  test("applies line-bound coupons first, then the others in the order of the request, before tax", async () => {
    const found = await estimate({ usage: { tokens_issued: 20_000 }, coupons: ["LAUNCH", "TOKENS"], tax_region: "DE" });
    expect(found.invoice.discounts).toEqual([
      { coupon: "TOKENS", amount: 2500 },
      { coupon: "LAUNCH", amount: 2080 },
    ]);
    // Flat fee 4900, usage 8000, no true-up. After the line-bound coupon, 5500 of the usage remains.
    expect(found.invoice).toMatchObject({ subtotal: 12_900, discount: 4580, tax: 1581, total: 9901 });
    expect(found.invoice.lines.map(({ discount, net }) => [discount, net])).toEqual([
      [980, 3920],
      [3600, 4400],
    ]);
  });

  test("with inclusive prices, the total is the subtotal less discounts", async () => {
    const { invoice } = await estimate({ tax_region: "DE-GROSS" });
    expect(invoice).toMatchObject({ subtotal: 10_000, tax: 1597, total: 10_000 });
    expect(invoice.lines.reduce((sum, { net }) => sum + net, 0)).toBe(8403);
  });

  test("a maximum appears as a discount without a coupon; without a tax region, there is no tax", async () => {
    const { invoice } = await estimate({ currency: "JPY", usage: { step_ups: 20 } });
    expect(invoice.discounts).toEqual([{ coupon: null, amount: 300 }]);
    expect(invoice).toMatchObject({ subtotal: 1300, discount: 300, tax: 0, total: 1000 });
    expect(invoice.taxes).toEqual([{ category: "O", rate: "0", base: 1000, amount: 0 }]);
  });

  test("uses the newest version in effect, or the version of the request", async () => {
    expect((await estimate({})).invoice.plan).toEqual({ id: "pro", version: 1 });
    const next = await estimate({ version: 2 });
    expect([next.invoice.plan, next.invoice.lines[0]?.amount]).toEqual([{ id: "pro", version: 2 }, 5900]);
  });

  test("a known meter that the plan doesn't price costs nothing", async () => {
    const { invoice } = await estimate({ plan: "count", usage: { verifications: 5, "own:anything": 5, step_ups: 1 } });
    expect(invoice.lines.map(({ meter }) => meter)).toEqual(["step_ups"]);
  });

  test("writes nothing: it sends only SELECT statements", async () => {
    const texts = await sentDuring(() => estimate({ coupons: ["LAUNCH"], tax_region: "DE" }));
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toMatch(/^SELECT /);
  });
});

describe("POST /billing/estimate refuses (docs/spec/billing.md, Estimate)", () => {
  const large = 1_000_000_000_000;
  const manyAmounts = Array.from({ length: 1001 }, (_, index) => ({ amount: index + 1, count: 1 }));
  const hugeAmounts = Array.from({ length: 10 }, (_, index) => ({ amount: large - 1 - index, count: large - 1 }));

  test.each<[string, object, number, string, string | null]>([
    ["an unknown plan", { plan: "none" }, 404, "plan_not_found", null],
    ["a plan with an invalid id", { plan: "No Plan" }, 404, "plan_not_found", null],
    ["an unknown version", { version: 3 }, 404, "plan_not_found", null],
    ["a hidden plan", { plan: "hidden" }, 404, "plan_not_found", null],
    ["a currency in which the plan has no prices", { currency: "USD" }, 422, "currency_not_priced", "/currency"],
    ["an unknown currency", { currency: "eur" }, 400, "invalid_request", "/currency"],
    ["an unknown meter", { usage: { tokens: 1 } }, 400, "invalid_request", "/usage/tokens"],
    [
      "a merchant's own meter with a reserved name",
      { usage: { "own:step_ups": 1 } },
      400,
      "invalid_request",
      "/usage/own:step_ups",
    ],
    ["an unknown tax region", { tax_region: "XX" }, 400, "invalid_request", "/tax_region"],
    ["a fraction", { usage: { tokens_issued: 1.5 } }, 400, "invalid_request", "/usage/tokens_issued"],
    ["a negative quantity", { usage: { tokens_issued: -1 } }, 400, "invalid_request", "/usage/tokens_issued"],
    ["text as a quantity", { usage: { tokens_issued: "1" } }, 400, "invalid_request", "/usage/tokens_issued"],
    [
      "amounts for a meter that is priced by quantity",
      { usage: { step_ups: [{ amount: 1, count: 1 }] } },
      400,
      "invalid_request",
      "/usage/step_ups",
    ],
    [
      "a number for a meter that is priced by amount",
      { usage: { successful_charges: 1 } },
      400,
      "invalid_request",
      "/usage/successful_charges",
    ],
    ["more used days than the period has", { days: { used: 32, of: 31 } }, 400, "invalid_request", "/days/used"],
    ["an unknown member", { merchant: "mch_1" }, 400, "invalid_request", "/merchant"],
    ["an unknown coupon", { coupons: ["NONE"] }, 422, "coupon_not_applicable", "/coupons/0"],
    ["a coupon for other plans", { coupons: ["LAUNCH", "OTHERS"] }, 422, "coupon_not_applicable", "/coupons/1"],
    ["a coupon in another currency", { coupons: ["DOLLARS"] }, 422, "coupon_not_applicable", "/coupons/0"],
    ["a coupon for other meters", { coupons: ["SMS"] }, 422, "coupon_not_applicable", "/coupons/0"],
    ["a repeated coupon", { coupons: ["LAUNCH", "LAUNCH"] }, 422, "coupon_not_applicable", "/coupons/1"],
    ["a quantity that is too large", { usage: { tokens_issued: large } }, 422, "estimate_too_large", null],
    ["a quantity beyond JSON's integers", { usage: { tokens_issued: 1e21 } }, 422, "estimate_too_large", null],
    ["too many amounts", { usage: { successful_charges: manyAmounts } }, 422, "estimate_too_large", null],
    ["a result that is too large", { usage: { successful_charges: hugeAmounts } }, 422, "estimate_too_large", null],
  ])("%s", async (_what, change, status, code, pointer) => {
    const { json, ...answer } = await send({ plan: "pro", currency: "EUR", usage: {}, ...change });
    expect([answer.status, json.type?.split("#")[1]]).toEqual([status, code]);
    expect(json.errors?.map((error) => error.pointer) ?? null).toEqual(pointer === null ? null : [pointer]);
    expect(json.detail).toMatch(/\w+.*\.$/);
    for (const { detail } of json.errors ?? []) expect(detail).not.toMatch(/Invalid/);
  });

  test.each(["plan", "currency", "usage"])("a request without %s", async (member) => {
    const { [member]: _left, ...body } = { plan: "pro", currency: "EUR", usage: {} } as Record<string, unknown>;
    const { status, json } = await send(body);
    expect([status, json.errors]).toEqual([400, [{ pointer: `/${member}`, detail: "is missing" }]]);
  });
});
