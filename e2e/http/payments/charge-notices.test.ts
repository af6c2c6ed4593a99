import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const path = "/merchant_test/charge-notices";

let own: flow.ChargeableMandate;
beforeAll(async () => {
  own = await flow.makeChargeableMandate(sandboxUrl);
});

const dueIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const bodyOf = (fields: object = {}) => ({
  mandate_id: own.mandateId,
  amount: 1_250,
  currency: "EUR",
  due_at: dueIn(48),
  reference: "Invoice 12",
  ...fields,
});

const announce = (fields: object = {}, key: string = randomUUID()) =>
  flow.merchantPost(own, path, { body: bodyOf(fields), headers: { "idempotency-key": key } });

const cancel = ({ merchant, merchantToken }: flow.ChargeableMandate, id: string) =>
  send(`${merchant.baseUrl}${path}/${id}`, { method: "DELETE", headers: { authorization: `Bearer ${merchantToken}` } });

describe("charge notices (docs/spec/payments.md, Charge notices)", () => {
  test("a notice is created, returned byte for byte for a repeated key, listed, read and canceled", async () => {
    const body = bodyOf();
    const post = () => flow.merchantPost(own, path, { body, headers: { "idempotency-key": "first" } });
    const created = await post();
    const id = textOf(created, "id");
    expect(created.status, created.text).toBe(201);
    expect(created.json).toEqual({
      id: expect.stringMatching(/^ntc_/),
      status: "announced",
      mandate_id: own.mandateId,
      merchant_id: own.merchant.merchantId,
      amount: 1_250,
      currency: "EUR",
      reference: "Invoice 12",
      due_at: body.due_at,
      created_at: expect.any(String),
      charge_id: null,
    });
    expect(created.headers.get("location")).toBe(`${sandboxUrl}${path}/${id}`);
    const canceled = await cancel(own, id);
    expect([canceled.status, canceled.json?.["status"]]).toEqual([200, "canceled"]);
    const again = await post();
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, created.text, "true"]);
    expect((await flow.merchantGet(own, `${path}/${id}`)).json).toMatchObject({ id, status: "canceled" });
    const list = await flow.merchantGet(own, `${path}?mandate_id=${own.mandateId}&limit=1`);
    expect(list.json).toMatchObject({ data: [{ id }], has_more: false });
  });

  test("a charge with the announced amount and reference completes its notice", async () => {
    const id = textOf(await announce({ reference: "Invoice 13" }), "id");
    const charged = await flow.chargeUntilFinal(own, { reference: "Invoice 13", payer_presence: "in_session" });
    expect(charged.status, charged.text).toBe(201);
    const expected = { status: "charged", charge_id: textOf(charged, "id") };
    expect((await flow.merchantGet(own, `${path}/${id}`)).json).toMatchObject(expected);
    expectProblem(await cancel(own, id), 409);
  });

  test.each<[string, object, number]>([
    ["a date in less than 24 hours", { due_at: dueIn(23) }, 400],
    ["a date without a time", { due_at: "2027-01-01" }, 400],
    ["no date", { due_at: undefined }, 400],
    ["a fraction", { amount: 12.5 }, 400],
    ["an unknown currency", { currency: "EUX" }, 400],
    ["a control character in the reference", { reference: "a\u0000b" }, 400],
    ["an unknown member", { note: "x" }, 400],
    ["another currency than the mandate's", { currency: "USD" }, 403],
    ["an amount above the limit", { amount: 6_001 }, 403],
    ["an unknown mandate", { mandate_id: "mdt_unknown" }, 404],
  ])("refuses %s", async (_, fields, status) => {
    expectProblem(await announce(fields), status);
  });

  test("needs an Idempotency-Key, and refuses a key with another body", async () => {
    expectProblem(await flow.merchantPost(own, path, { body: bodyOf() }), 400);
    await announce({ due_at: dueIn(30) }, "again");
    expectProblem(await announce({ due_at: dueIn(31) }, "again"), 422);
  });

  test("another merchant finds neither the mandate nor the notice", async () => {
    const id = textOf(await announce(), "id");
    const merchant = await registerMerchant(sandboxUrl);
    const other = { ...own, merchant, merchantToken: await clientToken(merchant) };
    const headers = { "idempotency-key": "k" };
    expectProblem(await flow.merchantPost(other, path, { body: bodyOf(), headers }), 404);
    expectProblem(await flow.merchantGet(other, `${path}/${id}`), 404);
    expectProblem(await cancel(other, id), 404);
    expect((await flow.merchantGet(other, path)).json).toEqual({ data: [], has_more: false });
  });

  test("needs the scope charges.write", async () => {
    const merchantToken = await clientToken(own.merchant, { scope: "charges.read" });
    const headers = { "idempotency-key": "k" };
    expect((await flow.merchantPost({ ...own, merchantToken }, path, { body: bodyOf(), headers })).status).toBe(403);
  });
});
