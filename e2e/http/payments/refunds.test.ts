import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../../support/error-shape.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/mandate-flow.ts";
import { textOf } from "../../support/wire.ts";

const { sandboxUrl } = currentInstance();

describe("refunds at the processor (2-payments)", () => {
  test("parts of a charge go back, together never more than was captured, and make room under refund_policy restore", async () => {
    const own = await flow.makeStanding(sandboxUrl, { max_total_amount: 1_250, refund_policy: "restore" });
    const path = `/merchant_test/charges/${textOf(await flow.charge(own), "id")}`;
    const refund = (body: object, key: string = randomUUID()) =>
      flow.merchantPost(own, `${path}/refunds`, body, { "idempotency-key": key });
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
});
