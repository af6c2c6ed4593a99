import { describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance, simulatorOf } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";

const { sandboxUrl } = currentInstance();

const control = async (path: string, body: object) => {
  const { url, key } = await simulatorOf("sandbox");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return send(`${url}/control/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
};

describe("disputes at the processor (docs/spec/payments.md, Disputes)", () => {
  test("an open dispute is shown on the charge and in the list and stops refunds; once it is won, the charge has succeeded", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const chargeId = textOf(await flow.charge(own), "id");
    const path = `/merchant_test/charges/${chargeId}`;
    const statusOf = async () => (await flow.merchantGet(own, path)).json?.["status"];
    const account = `acct_${own.merchant.merchantId}`;
    expect((await control("disputes/unknown", { account, charge_id: chargeId })).status).toBe(404);
    const opened = await control("disputes", { account, charge_id: chargeId });
    expect(opened.status, opened.text).toBe(201);
    await expect.poll(statusOf).toBe("disputed");
    expect((await flow.merchantGet(own, "/merchant_test/charges")).json).toMatchObject({
      data: [{ id: chargeId, status: "disputed", amount_captured: 1_250 }],
    });
    expectProblem(
      await flow.merchantPost(own, `${path}/refunds`, { body: {}, headers: { "idempotency-key": "k" } }),
      409,
    );
    await control(`disputes/${textOf(opened, "id")}/close`, { account, status: "won" });
    await expect.poll(statusOf).toBe("succeeded");
  });
});
