import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";

const { sandboxUrl } = currentInstance();

describe("refunds at the processor (docs/spec/payments.md, Refunds)", () => {
  test("refunds parts of a charge, never more than was captured, and restores the budget if refund_policy is restore", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250, refund_policy: "restore" });
    const path = `/merchant_test/charges/${textOf(await flow.charge(own), "id")}`;
    const refund = (body: object, key: string = randomUUID()) =>
      flow.merchantPost(own, `${path}/refunds`, { body, headers: { "idempotency-key": key } });
    expectProblem(await flow.charge(own, { amount: 250 }), 403);
    const part = await refund({ amount: 250 }, "k");
    expect([part.status, part.json?.["status"]], part.text).toEqual([201, "succeeded"]);
    expect((await refund({ amount: 250 }, "k")).text).toBe(part.text);
    expect((await flow.merchantGet(own, path)).json).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 250,
    });
    expect((await flow.charge(own, { amount: 250 })).status).toBe(201);
    expectProblem(await refund({ amount: 1_001 }), 422);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund({ amount: 400 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422, 422, 422]);
    expect((await refund({})).json).toMatchObject({ amount: 200, status: "succeeded" });
    expect((await flow.merchantGet(own, path)).json).toMatchObject({ status: "refunded", amount_refunded: 1_250 });
    const list = (await flow.merchantGet(own, `${path}/refunds`)).json as { data: { amount: number }[] };
    expect(list.data.map(({ amount }) => amount).sort()).toEqual([200, 250, 400, 400]);
  });

  test("with refund_policy restore, a refund restores the total and the period's budget, but not the number of payments", async () => {
    const month = { period: "month", alignment: "calendar", max_amount: 1_250 };
    const limits = { max_total_amount: 1_250, max_payments: 2, periodic_limits: [month], refund_policy: "restore" };
    const own = await flow.makeChargeableMandate(sandboxUrl, limits);
    const codes = async () => {
      const refusal = await flow.charge(own, { amount: 1_250 });
      expectProblem(refusal, 403);
      return (refusal.json as { reasons: { code: string }[] }).reasons.map(({ code }) => code).sort();
    };
    const chargeAndRefund = async () => {
      const charged = await flow.charge(own, { amount: 1_250 });
      expect(charged.status, charged.text).toBe(201);
      const reasons = await codes();
      const refunds = `/merchant_test/charges/${textOf(charged, "id")}/refunds`;
      expect((await flow.merchantPost(own, refunds, { body: {}, headers: { "idempotency-key": "all" } })).status).toBe(
        201,
      );
      return reasons;
    };
    expect(await chargeAndRefund()).toEqual(["period_limit_exceeded", "total_limit_exceeded"]);
    await chargeAndRefund();
    // All money is refunded, but both payments still count.
    expect(await codes()).toEqual(["mandate_consumed"]);
  });
});
