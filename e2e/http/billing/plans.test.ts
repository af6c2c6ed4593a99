import { describe, expect, test } from "vitest";
import { expectFieldProblem } from "../../support/answers/error-shape.ts";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";

const { sandboxUrl, productionUrl } = currentInstance();

type Plan = { id: string; currency: string; flat: number; prices: { meter: string; model: string }[] };
const list = async (query = "", base = sandboxUrl) => {
  const answer = await send(`${base}/billing/plans${query}`);
  return { answer, ...(answer.json as { data: Plan[]; has_more: boolean }) };
};

describe("GET /billing/plans (docs/spec/billing.md, Catalogue)", () => {
  test.each([
    ["production", productionUrl],
    ["the sandbox", sandboxUrl],
  ])("lists the demo plans of %s to anyone, from any origin", async (_name, base) => {
    const { answer, data } = await list("?currency=EUR", base);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["free", "pro", "scale"]));
    expect(data.find(({ id }) => id === "pro")).toEqual({
      id: "pro",
      version: expect.any(Number),
      name: "Pro",
      effective_from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      interval: "month",
      currency: "EUR",
      currencies: ["EUR", "USD"],
      flat: 4900,
      minimum: 10000,
      maximum: null,
      trial_days: 14,
      prices: expect.arrayContaining([
        { meter: "successful_charges", model: "basis_points", rate: "29", min: "5", max: "1200" },
      ]),
    });
  });

  test("returns pages in the order of ids, forwards and backwards", async () => {
    const all = (await list()).data.map(({ id }) => id);
    expect(all).toEqual(all.toSorted());
    const first = await list("?limit=1");
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([all.slice(0, 1), true]);
    const rest = await list(`?starting_after=${all[0]}`);
    expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([all.slice(1), false]);
    const before = await list(`?ending_before=${all[1]}`);
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(0, 1));
  });

  test("the list is empty for a currency in which no plan has prices", async () => {
    expect(await list("?currency=JPY")).toMatchObject({ data: [], has_more: false });
  });

  test.each([
    ["?currency=eur", "#currency"],
    ["?currency=XXX", "#currency"],
    ["?limit=0", "#limit"],
    ["?limit=101", "#limit"],
    ["?starting_after=nothing", "#starting_after"],
    ["?plan=pro", "#plan"],
  ])("refuses %s and names the parameter", async (query, pointer) => {
    expectFieldProblem((await list(query)).answer, pointer);
  });
});
