import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { listPayments } from "../../support/peers/simulator-ledger.ts";

const { sandboxUrl } = currentInstance();

type Own = Awaited<ReturnType<typeof flow.makeChargeableMandate>>;
const authorize = async (own: Own): Promise<string> => {
  const answer = await flow.charge(own, { capture_method: "manual" });
  expect([answer.status, answer.json?.["status"]], answer.text).toEqual([201, "authorized"]);
  return `/merchant_test/charges/${textOf(answer, "id")}`;
};
const post = (own: Own, path: string, { body = {}, key = randomUUID() }: { body?: object; key?: string } = {}) =>
  flow.merchantPost(own, path, { body, headers: { "idempotency-key": key } });

describe("manual capture at the processor (docs/spec/payments.md, Capture and void)", () => {
  test("captures a part once and releases the rest of the budget", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const path = await authorize(own);
    expectProblem(await flow.charge(own, { amount: 1 }), 403);
    const answer = await post(own, `${path}/capture`, { body: { amount: 1_000 }, key: "k" });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ status: "partially_captured", amount: 1_250, amount_captured: 1_000 });
    expect((await post(own, `${path}/capture`, { body: { amount: 1_000 }, key: "k" })).text).toBe(answer.text);
    expect((await flow.merchantGet(own, path)).json).toEqual(answer.json);
    expectProblem(await post(own, `${path}/capture`), 409);
    expectProblem(await post(own, `${path}/void`), 409);
    expect((await flow.charge(own, { amount: 250 })).status).toBe(201);
    const payments = await listPayments("sandbox", own.merchant.merchantId);
    expect(payments.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  test("voids a charge that waits for 3-D Secure at the processor; afterwards, GET returns it as voided", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const charged = await flow.charge(own, { metadata: { simulate: "requires_action" } });
    expect([charged.status, charged.json?.["status"]], charged.text).toEqual([202, "requires_action"]);
    const path = `/merchant_test/charges/${textOf(charged, "id")}`;
    expectProblem(await post(own, `${path}/capture`), 409);
    const voided = await post(own, `${path}/void`);
    expect([voided.status, voided.json?.["status"]], voided.text).toEqual([200, "voided"]);
    const payments = await listPayments("sandbox", own.merchant.merchantId);
    expect(payments.map(({ status }) => status)).toEqual(["voided"]);
    expect((await flow.charge(own)).status).toBe(201);
  });

  test("voids without moving money and releases the whole budget", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const answer = await post(own, `${await authorize(own)}/void`);
    expect([answer.status, answer.json?.["status"]]).toEqual([200, "voided"]);
    expect((await flow.charge(own)).status).toBe(201);
    const payments = await listPayments("sandbox", own.merchant.merchantId);
    expect(payments.map(({ status }) => status).sort()).toEqual(["succeeded", "voided"]);
  });
});
