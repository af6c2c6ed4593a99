import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countReads } from "#e2e/support/count-reads.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { requestCharge, requestRefund } from "../../charges/charge/answers.fixture.ts";
import type { RefundRequest } from "../../charges/charge/charge.wire.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { listMerchantCharges } from "../../charges/lists/list-charges.ts";
import { receiveProcessorEvent } from "../../charges/reconcile/receive-processor-event.ts";
import type { FoundDispute } from "../../deps/processor-port.ts";
import { provideDeps } from "../../http/runtime.ts";
import { type Handler, serve } from "../../http/serve.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { signAccessToken } from "../../oauth/tokens/sign-access-token.ts";
import { getDisputeEndpoint, listDisputesEndpoint } from "./disputes.ts";
import { listChargesEndpoint, listMandateChargesEndpoint } from "./list-charges.ts";
import { createRefundEndpoint, getRefundEndpoint, getRefundOfChargeEndpoint, listRefundsEndpoint } from "./refunds.ts";

let deps: TestDeps;
const bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
  provideDeps(deps);
});
afterAll(() => deps.close());

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
type Listed = { data: Record<string, unknown>[]; has_more: boolean };

const tokenOf = (
  { merchantClient }: Pick<Setup, "merchantClient">,
  scopes = ["charges.read", "refunds.write"],
): string => {
  const audience = `${deps.config.baseUrl}/merchant_test`;
  const subject = { subject: merchantClient.id, clientId: merchantClient.id, clientEpoch: 1, jkt: null };
  return signAccessToken(deps, { ...subject, audience, scopes, lifetimeSeconds: 600, jti: newSecret() }).token;
};

const call = async (handler: Handler, path: string, { token, body }: { token: string; body?: object }) => {
  const sent = body && { "content-type": "application/json", "idempotency-key": newId("req") };
  const request = new Request(`${deps.config.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, ...sent },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const response = await handler(request);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

const idsOf = (answer: { status: number; json: Record<string, unknown> }): unknown => {
  if (answer.status !== 200) return answer.json["errors"];
  const { data, has_more } = answer.json as unknown as Listed;
  return { ids: data.map(({ id }) => id), has_more };
};

/** Checks the pages of a list of five items, newest first, in both directions. */
const expectPaging = async (ids: readonly string[], list: (query: string) => Promise<unknown>) => {
  const [e, d, c, b, a] = ids;
  expect(await list("limit=5")).toEqual({ ids, has_more: false });
  expect(await list(`limit=2&starting_after=${d}`)).toEqual({ ids: [c, b], has_more: true });
  expect(await list(`limit=2&starting_after=${b}`)).toEqual({ ids: [a], has_more: false });
  expect(await list(`limit=2&ending_before=${b}`)).toEqual({ ids: [d, c], has_more: true });
  expect(await list(`limit=2&ending_before=${c}`)).toEqual({ ids: [e, d], has_more: false });
  expect(await list(`ending_before=${e}`)).toEqual({ ids: [], has_more: false });
  expect(await list(`starting_after=${d}&ending_before=${b}`)).toEqual([
    { pointer: "#ending_before", detail: "can't be combined with starting_after" },
  ]);
};

/** Creates objects one after another. @returns their ids, newest first. */
const inTurn = async (count: number, make: () => Promise<string>): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    deps.clock.advance(1);
    ids.unshift(await make());
  }
  return ids;
};

const chargeIds = (setup: Setup, count: number) => inTurn(count, async () => (await setup.charge()).chargeId);

describe("GET /merchant_test/charges (docs/spec/payments.md, Lists)", () => {
  let setup: Setup;
  const list = async (query: string) =>
    idsOf(await call(serve(listChargesEndpoint), `/merchant_test/charges?${query}`, { token: tokenOf(setup) }));
  beforeEach(async () => {
    setup = await makeChargeableMandate(deps);
  });

  test("pages in both directions", async () => {
    await expectPaging(await chargeIds(setup, 5), list);
  });

  test("filters by status, mandate, reference and time of creation, also in combination and with a cursor", async () => {
    const [own, other] = [setup, await makeChargeableMandate(deps, { payees: [{ id: setup.merchant.id }] })];
    const by = { merchantId: own.merchant.id, clientId: own.merchantClient.id };
    const first = (await own.charge({ reference: "order-1" })).chargeId;
    deps.clock.advance(1);
    const held = (await own.charge({ reference: "order-1", capture_method: "manual" })).chargeId;
    deps.clock.advance(1);
    const request = {
      mandate_id: other.mandateId,
      amount: 1_000,
      currency: "EUR",
      payer_presence: "in_session" as const,
    };
    const foreign = (await requestCharge(deps, { ...by, requestId: "r", idempotencyKey: newId("req"), request }))
      .chargeId;
    const found = (ids: string[]) => ({ ids, has_more: false });
    expect(await list("")).toEqual(found([foreign, held, first]));
    expect(await list("status=authorized")).toEqual(found([held]));
    expect(await list(`mandate_id=${other.mandateId}`)).toEqual(found([foreign]));
    expect(await list("reference=order-1")).toEqual(found([held, first]));
    expect(await list("reference=order")).toEqual(found([]));
    const all = `status=succeeded&mandate_id=${own.mandateId}&reference=order-1`;
    expect(await list(`${all}&created_from=2000-01-01T00:00:00Z&created_to=2999-01-01T00:00:00%2B01:00`)).toEqual(
      found([first]),
    );
    expect(await list(`reference=order-1&starting_after=${foreign}&limit=1`)).toEqual({ ids: [held], has_more: true });
    expect(await list(`reference=order-1&ending_before=${first}`)).toEqual(found([held]));
    const { createdAt } = await deps.db.prisma.charge.findFirstOrThrow({ where: { id: held } });
    const at = createdAt.toISOString();
    expect(await list(`created_from=${at}`)).toMatchObject({ ids: expect.arrayContaining([held]) });
    expect(await list(`created_to=${at}`)).toMatchObject({ ids: expect.not.arrayContaining([held]) });
  });

  test.each([
    ["status=paid", "#status"],
    ["created_from=yesterday", "#created_from"],
    ["created_from=2026-11-21T00:00:00Z&created_to=2026-11-21T00:00:00Z", "#created_to"],
    ["limit=0", "#limit"],
    ["limit=101", "#limit"],
    ["starting_after=chg_none", "#starting_after"],
    ["ending_before=chg_none", "#ending_before"],
    ["limit=1&limit=2", "#limit"],
    ["statuss=declined", "#statuss"],
    ["page=", "#page"],
  ])("returns 400 and names the parameter for ?%s", async (query, pointer) => {
    expect(await list(query)).toEqual([{ pointer, detail: expect.any(String) }]);
  });

  test("another merchant's mandate and cursors get the same answer as unknown ones", async () => {
    const foreign = await makeChargeableMandate(deps);
    const [theirs] = await chargeIds(foreign, 1);
    await chargeIds(setup, 1);
    expect(await list(`mandate_id=${foreign.mandateId}`)).toEqual(await list("mandate_id=mdt_none"));
    for (const cursor of ["starting_after", "ending_before"]) {
      expect(await list(`${cursor}=${theirs}`)).toEqual(await list(`${cursor}=chg_none`));
    }
  });
});

test("no combination of filters reads more than its page, even if there are thousands of other charges (docs/spec/operations.md, Data retention)", async () => {
  const setup = await makeChargeableMandate(deps);
  const { chargeId } = await setup.charge({ reference: "order-1", capture_method: "manual" });
  await deps.db.prisma.$executeRawUnsafe(
    `INSERT INTO charge SELECT (r).* FROM (SELECT jsonb_populate_record(c, jsonb_build_object('id', 'chg_old_' || n,
       'state', 'succeeded', 'reference', 'old', 'mandate_id', 'mdt_old', 'created_at', (one.c).created_at + n * interval '1 ms')) AS r
     FROM (SELECT c FROM charge c WHERE id = $1) AS one, generate_series(1, 5000) n) AS old`,
    chargeId,
  );
  await deps.db.prisma.$executeRawUnsafe("ANALYZE charge");
  const none = { status: null, reference: null, mandateId: null, createdFrom: null, createdTo: null };
  const page = { limit: 10, startingAfter: null, endingBefore: null };
  const filters = [
    {},
    { status: "authorized" },
    { status: "succeeded" },
    { reference: "order-1" },
    { mandateId: setup.mandateId },
    { status: "authorized", reference: "order-1", mandateId: setup.mandateId },
    { status: "declined", createdFrom: new Date(0) },
  ] as const;
  const manyReads: unknown[] = [];
  for (const filter of filters) {
    const input = { merchantId: setup.merchant.id, ...none, ...page, ...filter };
    const { reads } = await deps.db.sqlTransaction((sql) =>
      countReads(sql, (counted) => listMerchantCharges({ db: { ...deps.db, sql: counted } }, input)),
    );
    if (reads > 50) manyReads.push({ filter, reads });
  }
  expect(manyReads).toEqual([]);
});

describe("GET /oauth/mandates/{mandate_id}/charges (docs/spec/payments.md, Lists)", () => {
  test("filters and pages, and names an unknown parameter in OAuth's shape", async () => {
    const setup = await makeChargeableMandate(deps);
    const audience = deps.config.baseUrl;
    const own = { subject: setup.agent.id, clientId: setup.agent.id, clientEpoch: 1, jkt: null, audience };
    const wish = { scopes: ["grant_management_query"], lifetimeSeconds: 600, jti: newSecret() };
    const { token } = signAccessToken(deps, { ...own, ...wish });
    const path = `/oauth/mandates/${setup.mandateId}/charges`;
    const list = (query: string) => call(serve(listMandateChargesEndpoint), `${path}?${query}`, { token });
    const [second, first] = (await chargeIds(setup, 2)) as [string, string];
    deps.clock.advance(1);
    const held = (await setup.charge({ capture_method: "manual", reference: "hold" })).chargeId;
    expect(idsOf(await list("status=authorized&reference=hold"))).toEqual({ ids: [held], has_more: false });
    expect(idsOf(await list(`ending_before=${first}&limit=1`))).toEqual({ ids: [second], has_more: true });
    expect(await list("mandate_id=x")).toMatchObject({
      status: 400,
      json: { error: "invalid_request", error_description: expect.stringMatching(/^mandate_id: /) },
    });
  });
});

test("charges.read is enough to list the refunds of a charge (docs/spec/payments.md, Lists)", async () => {
  const setup = await makeChargeableMandate(deps);
  const { chargeId } = await setup.charge();
  const path = `/merchant_test/charges/${chargeId}/refunds`;
  for (const scopes of [["charges.read"], ["refunds.write"]]) {
    const answer = await call(serve(listRefundsEndpoint), path, { token: tokenOf(setup, scopes) });
    expect(answer).toMatchObject({ status: 200, json: { data: [], has_more: false } });
  }
});

describe("refunds with reason and metadata (docs/spec/payments.md, Refunds)", () => {
  const pathOf = (chargeId: string) => `/merchant_test/charges/${chargeId}/refunds`;
  const refund = (setup: Setup, chargeId: string, body: object) =>
    call(serve(createRefundEndpoint), pathOf(chargeId), { token: tokenOf(setup), body });

  test("include both in each response, in the event, and in the request to the processor", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    const sent: unknown[] = [];
    const given = bank.state.refund;
    bank.state.refund = (request) => {
      sent.push(request);
      return given(request);
    };
    const wish = { amount: 10, reason: "duplicate", metadata: { b: "2", a: "1" } };
    const { status, json } = await refund(setup, chargeId, wish);
    bank.state.refund = given;
    expect([status, json]).toMatchObject([201, { ...wish, charge_id: chargeId, status: "succeeded" }]);
    expect(sent).toMatchObject([{ reason: "duplicate", metadata: wish.metadata }]);
    const plain = await refund(setup, chargeId, { amount: 10 });
    expect(plain.json).toMatchObject({ reason: null, metadata: {} });
    const token = tokenOf(setup, ["charges.read"]);
    const read = await call(serve(getRefundEndpoint), `/merchant_test/refunds/${json["id"]}`, { token });
    expect(read).toEqual({ status: 200, json });
    expect(await call(serve(getRefundOfChargeEndpoint), `${pathOf(chargeId)}/${json["id"]}`, { token })).toEqual(read);
    const event = await deps.db.prisma.event.findFirstOrThrow({ where: { objectId: String(json["id"]) } });
    expect(event.data).toEqual(json);
  });

  test("are refused with 422 if a request with the same key has another reason or other metadata", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    const by = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "r", chargeId };
    const ask = (request: RefundRequest) => requestRefund(deps, { ...by, idempotencyKey: "k", request });
    const first = await ask({ amount: 10, reason: "other", metadata: { note: "broken", a: "1" } });
    const again = await ask({ metadata: { a: "1", note: "broken" }, reason: "other", amount: 10 });
    expect(again).toEqual({ ...first, isRepeat: true });
    for (const other of [{ reason: "duplicate" }, { metadata: {} }] as const) {
      const request = { amount: 10, reason: "other", metadata: { note: "broken", a: "1" }, ...other } as const;
      await expect(ask(request)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    }
  });

  test.each([
    [{ reason: "because" }, "/reason"],
    [{ reason: null }, "/reason"],
    [{ metadata: { a: 1 } }, "/metadata/a"],
    [{ metadata: { a: "x".repeat(501) } }, "/metadata/a"],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "v"])) }, "/metadata"],
    [{ note: "x" }, "/note"],
  ])("are refused with 400, naming the field, for %j", async (body, pointer) => {
    const setup = await makeChargeableMandate(deps);
    const answer = await refund(setup, (await setup.charge()).chargeId, body);
    expect([answer.status, answer.json["errors"]]).toMatchObject([400, [{ pointer }]]);
  });

  test("are listed in pages in both directions", async () => {
    const setup = await makeChargeableMandate(deps);
    const { chargeId } = await setup.charge();
    const ids = await inTurn(5, async () => String((await refund(setup, chargeId, { amount: 1 })).json["id"]));
    await expectPaging(ids, async (query) =>
      idsOf(await call(serve(listRefundsEndpoint), `${pathOf(chargeId)}?${query}`, { token: tokenOf(setup) })),
    );
  });

  test("aren't found by another merchant or for another charge; only charges.read and refunds.write allow reading refunds", async () => {
    const [own, other] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)];
    const { chargeId } = await own.charge();
    const elsewhere = (await own.charge()).chargeId;
    const id = String((await refund(own, chargeId, {})).json["id"]);
    const single = (token: string, refundId: string) =>
      call(serve(getRefundEndpoint), `/merchant_test/refunds/${refundId}`, { token });
    const ofCharge = (token: string, of: string, refundId: string) =>
      call(serve(getRefundOfChargeEndpoint), `${pathOf(of)}/${refundId}`, { token });
    const missing = await single(tokenOf(other), "rfd_none");
    expect([missing.status, missing.json["type"]]).toEqual([404, expect.stringMatching(/#refund_not_found$/)]);
    expect(await single(tokenOf(other), id)).toEqual(missing);
    expect(await ofCharge(tokenOf(other), chargeId, id)).toEqual(missing);
    expect(await ofCharge(tokenOf(own), elsewhere, id)).toEqual(missing);
    expect((await single(tokenOf(own, ["refunds.write"]), id)).status).toBe(200);
    expect((await single(tokenOf(own, ["mandates.verify", "charges.write"]), id)).status).toBe(403);
  });
});

describe("GET /merchant_test/disputes and /{dispute_id} (docs/spec/payments.md, Lists)", () => {
  const dispute = async (setup: Setup, chargeId: string, status: FoundDispute["status"]): Promise<void> => {
    const disputeRef = `d_${chargeId}`;
    const money = { amountMinor: 1_000n, currency: "EUR", reason: "fraudulent" };
    const payment = { reference: `ref_${chargeId}`, chargeId };
    bank.state.findDispute = async () => ({ kind: "dispute", disputeRef, status, ...payment, ...money });
    const event = { id: "evt", type: "dispute.changed", about: "dispute", disputeRef } as const;
    const accountEvent = { ...event, account: `acct_${setup.merchant.id}` };
    await receiveProcessorEvent(deps, { processor: "simulator", event: accountEvent, requestId: "r" });
  };
  const list = (setup: Setup, query: string) =>
    call(serve(listDisputesEndpoint), `/merchant_test/disputes?${query}`, { token: tokenOf(setup) });
  const get = (setup: Setup, id: string, scopes?: string[]) =>
    call(serve(getDisputeEndpoint), `/merchant_test/disputes/${id}`, { token: tokenOf(setup, scopes) });
  const disputed = async (setup: Setup, status: FoundDispute["status"]) => {
    const { chargeId } = await setup.charge();
    await dispute(setup, chargeId, status);
    const { json } = await list(setup, `charge_id=${chargeId}`);
    return { chargeId, id: String((json as unknown as Listed).data[0]?.["id"]) };
  };

  test("filter by status, charge and time, return pages in both directions, and return one dispute in full", async () => {
    const setup = await makeChargeableMandate(deps);
    const ids = await inTurn(5, async () => (await disputed(setup, "open")).id);
    await expectPaging(ids, async (query) => idsOf(await list(setup, query)));
    const lost = await disputed(setup, "lost");
    expect(idsOf(await list(setup, "status=lost"))).toEqual({ ids: [lost.id], has_more: false });
    expect(idsOf(await list(setup, `charge_id=${lost.chargeId}`))).toEqual({ ids: [lost.id], has_more: false });
    expect(idsOf(await list(setup, "created_to=2000-01-01T00:00:00Z"))).toEqual({ ids: [], has_more: false });
    expect(idsOf(await list(setup, "status=closed"))).toMatchObject([{ pointer: "#status" }]);
    expect((await get(setup, lost.id)).json).toEqual({
      id: lost.id,
      charge_id: lost.chargeId,
      amount: 1_000,
      currency: "EUR",
      reason: "fraudulent",
      status: "lost",
      created_at: expect.any(String),
      closed_at: expect.any(String),
    });
  });

  test("another merchant's dispute, charge and cursor get the same answer as unknown ones; without charges.read, the answer is 403", async () => {
    const [own, other] = [await makeChargeableMandate(deps), await makeChargeableMandate(deps)];
    const { id, chargeId } = await disputed(own, "open");
    await disputed(other, "open");
    const missing = await get(other, "dsp_none");
    expect([missing.status, missing.json["type"]]).toEqual([404, expect.stringMatching(/#dispute_not_found$/)]);
    expect(await get(other, id)).toEqual(missing);
    expect(await list(other, `charge_id=${chargeId}`)).toEqual(await list(other, "charge_id=chg_none"));
    expect(await list(other, `starting_after=${id}`)).toEqual(await list(other, "starting_after=dsp_none"));
    expect((await get(own, id, ["refunds.write"])).status).toBe(403);
  });
});
