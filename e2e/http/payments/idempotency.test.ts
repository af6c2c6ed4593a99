import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";
import { postAs } from "../../support/oauth/parties.ts";
import { listPayments } from "../../support/peers/simulator-ledger.ts";
import { waitUntil } from "../../support/wait-until.ts";

const { sandboxUrl } = currentInstance();
let mandate: flow.ChargeableMandate;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl);
});

describe("Idempotency-Key (docs/spec/payments.md, Idempotency)", () => {
  test.each([
    ["201", {}],
    ["402", { metadata: { simulate: "decline:lost_card" } }],
  ])("repeats a %s byte for byte, with Idempotent-Replayed", async (status, fields) => {
    const key = randomUUID();
    const first = await flow.charge(mandate, fields, key);
    const second = await flow.charge(mandate, fields, key);
    expect([first.status, second.status]).toEqual([Number(status), Number(status)]);
    expect(second.text).toBe(first.text);
    for (const name of ["content-type", "location"]) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  });

  test("ignores the order of members and white space (RFC 8785)", async () => {
    const key = randomUUID();
    const body = flow.chargeBody(mandate, { metadata: { a: "1", b: "2" } });
    const headers = {
      authorization: `Bearer ${mandate.merchantToken}`,
      "idempotency-key": key,
      "content-type": "application/json",
    };
    const reversed = {
      metadata: { b: "2", a: "1" },
      ...Object.fromEntries(
        Object.entries(body)
          .reverse()
          .filter(([name]) => name !== "metadata"),
      ),
    };
    const url = `${sandboxUrl}/merchant_test/charge`;
    const first = await send(url, { method: "POST", headers, body: JSON.stringify(body) });
    const second = await send(url, { method: "POST", headers, body: JSON.stringify(reversed, null, 4) });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
  });

  test.each([{ amount: 1_251 }, { reference: "other" }, { metadata: {} }, { capture_method: "automatic" }])(
    "responds with 422 to the same key with another body: %j",
    async (fields) => {
      const key = randomUUID();
      expect((await flow.charge(mandate, {}, key)).status).toBe(201);
      expectProblem(await flow.charge(mandate, fields, key), 422, "idempotency_key_reused");
    },
  );

  test("leaves the key unused after 400 and 404", async () => {
    const key = randomUUID();
    expectProblem(await flow.charge(mandate, { amount: 0 }, key), 400);
    expectProblem(await flow.charge(mandate, { mandate_id: "mdt_unknown" }, key), 404);
    expect((await flow.charge(mandate, {}, key)).status).toBe(201);
  });

  test("repeats a response even after the mandate ended", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl);
    const key = randomUUID();
    const first = await flow.charge(own, {}, key);
    await postAs(own.agent, "/oauth/revoke", { form: { token: own.refreshToken } });
    expectProblem(await flow.charge(own, {}), 403, "refused_by_mandate");
    expect((await flow.charge(own, {}, key)).text).toBe(first.text);
  });
});

describe("metadata.simulate controls the sandbox's processor (docs/spec/payments.md, Simulator)", () => {
  test("error_once: a 500 and a successful retry make one charge", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl);
    const answer = await flow.charge(own, { metadata: { simulate: "error_once" } });
    expect(answer.status, answer.text).toBe(201);
    expect(await listPayments("sandbox", own.merchant.merchantId)).toHaveLength(1);
  });

  test.concurrent("timeout_after_accept: 409 while in progress, 202 unknown with the hold kept, then 201 after the reconciler's look-up", async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const key = randomUUID();
    const fields = { metadata: { simulate: "timeout_after_accept" } };
    const pending = flow.charge(own, fields, key);
    // From here on the processor doesn't respond for 8 s.
    const listed = async () => (await flow.merchantGet(own, "/merchant_test/charges")).json?.["data"] as unknown[];
    await waitUntil(async () => (await listed()).length === 1, 6);
    const early = await flow.charge(own, fields, key);
    expectProblem(early, 409, "idempotency_key_in_use");
    expect(early.headers.get("retry-after")).toMatch(/^\d+$/);
    const answer = await pending;
    expect(answer.status, answer.text).toBe(202);
    expect(answer.json).toMatchObject({ status: "unknown", amount_captured: 0 });
    expect(answer.headers.get("location")).toContain(textOf(answer, "id"));
    const repeated = await flow.charge(own, fields, key);
    // The reconciler looks it up 5 s later. If the machine was suspended, this may have happened already.
    expect([201, 202]).toContain(repeated.status);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expectProblem(await flow.charge(own, { amount: 1 }), 403, "refused_by_mandate");
    await waitUntil(async () => (await flow.charge(own, fields, key)).status === 201);
    const last = await flow.charge(own, fields, key);
    expect(last.json).toMatchObject({ id: textOf(answer, "id"), status: "succeeded", amount_captured: 1_250 });
    expect(await listPayments("sandbox", own.merchant.merchantId)).toHaveLength(1);
  });

  test.concurrent("timeout_before_accept: 202 unknown after 8 s, nothing at the processor, and no guessed outcome", {
    // Measured in real time. Other work on the machine may prolong one measurement.
    retry: 1,
  }, async () => {
    const own = await flow.makeChargeableMandate(sandboxUrl, { max_total_amount: 1_250 });
    const startedAt = performance.now();
    const answer = await flow.charge(own, { metadata: { simulate: "timeout_before_accept" } });
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(answer.status, answer.text).toBe(202);
    // On a busy machine the response may be later, but the server never waits longer for the processor.
    expect(seconds).toBeGreaterThan(7.9);
    expect(seconds).toBeLessThan(16);
    expect(answer.json).toMatchObject({ status: "unknown" });
    await sleep(8_000);
    const read = await flow.merchantGet(own, `/merchant_test/charges/${textOf(answer, "id")}`);
    expect(read.json).toMatchObject({ status: "unknown" });
    expectProblem(await flow.charge(own, { amount: 1 }), 403, "refused_by_mandate");
    expect(await listPayments("sandbox", own.merchant.merchantId)).toEqual([]);
  });
});
