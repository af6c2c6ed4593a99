import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listPastActs } from "../audit/past-acts.ts";
import { refusalOf } from "../charges/charge/charge-setup.fixture.ts";
import { setCategory } from "./set-category.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test", reason: "They cook now" } as const;
const change = (merchantId: string, category: string) => setCategory(deps, { merchantId, category, ...by });

describe("an operator sets the category of a merchant (docs/spec/payments.md, Who may use a mandate)", () => {
  test("twenty concurrent calls make one audit entry with the old value and the reason", async () => {
    const { id } = await makeMerchant(deps, { mcc: "5411" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(id, "5812")));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await listPastActs(deps, { subjectId: id, from: new Date(0) })).toMatchObject([
      { action: "merchant.category_changed", data: { from: "5411", to: "5812", reason: by.reason } },
    ]);
  });

  test("refuses an unknown merchant", async () => {
    expect((await refusalOf(change("mch_nowhere", "5812"))).code).toBe("not_found");
  });
});
