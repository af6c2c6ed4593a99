import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requestRefund } from "../../charges/charge/answers.fixture.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { forgetAccount } from "./forget-account.ts";
import { getProcessorAccount } from "./get-processor-account.ts";
import { startConnectSetup } from "./processor-setup.fixture.ts";
import { refreshAccount } from "./refresh-account.ts";
import { refreshDueAccounts } from "./refresh-due-accounts.ts";

let setup: Awaited<ReturnType<typeof startConnectSetup>>;
beforeAll(async () => {
  setup = await startConnectSetup();
});
beforeEach(() => Object.assign(setup.state, { isReachable: true, wrap: <T>(processor: T) => processor }));
afterAll(() => setup.close());

const makeConnected = async () => {
  const merchant = await setup.makeUnconnected();
  await merchant.open();
  const account = await merchant.accountOf();
  const { merchantId } = merchant;
  return {
    ...merchant,
    account,
    refresh: () => refreshAccount(setup.deps, { merchantId, requestId: "req_test" }),
    view: () => getProcessorAccount(setup.deps, { merchantId }),
    intents: () => [...setup.standIn.intents.values()].filter((intent) => intent.account === account),
  };
};

describe("the state of a merchant's account (docs/spec/portal.md, Processor account)", () => {
  test("a newly connected account accepts a charge, a refund and a dispute once its details are complete", async () => {
    const merchant = await makeConnected();
    expect((await refusalOf(merchant.charge())).code).toBe("processor_not_connected");
    expect(await merchant.refresh()).toBe("details_needed");
    expect(await merchant.view()).toMatchObject({
      state: "details_needed",
      due: expect.arrayContaining(["external_account"]),
    });
    setup.standIn.connected.submit(merchant.account, "review");
    expect(await merchant.refresh()).toBe("in_review");
    expect((await refusalOf(merchant.charge())).code).toBe("processor_not_connected");
    setup.standIn.connected.submit(merchant.account, "complete");
    expect(await merchant.sendEvent()).toBe(200);
    const paid = await merchant.charge();
    expect(paid.status).toBe(201);
    expect(merchant.intents()).toMatchObject([{ amount: 1_000, metadata: { charge_id: paid.chargeId } }]);
    const refund = await requestRefund(setup.deps, {
      merchantId: merchant.merchantId,
      clientId: merchant.merchantClient.id,
      requestId: "r",
      chargeId: paid.chargeId,
      idempotencyKey: newId("req"),
      request: { amount: 200 },
    });
    expect(JSON.parse(refund.body)).toMatchObject({ amount: 200, status: "succeeded" });
    const disputed = await merchant.charge();
    const disputeId = setup.standIn.dispute(merchant.account, disputed.chargeId, 1_000);
    expect(await merchant.sendEvent({ object: "dispute", id: disputeId }, "charge.dispute.created")).toBe(200);
    const row = await setup.deps.db.prisma.charge.findFirstOrThrow({ where: { id: disputed.chargeId } });
    expect([row.state, row.processorAccount]).toEqual(["disputed", merchant.account]);
    const states = (await merchant.audit()).filter(({ action }) => action === "merchant.processor_state_changed");
    expect(states.map(({ data }) => `${data["from"]} ${data["to"]}`)).toEqual([
      "details_needed in_review",
      "in_review enabled",
    ]);
  });

  test("charges are refused again when Stripe stops them, and accepted after the details are completed", async () => {
    const merchant = await makeConnected();
    const { connected } = setup.standIn;
    connected.submit(merchant.account, "complete");
    await merchant.sendEvent();
    expect((await merchant.charge()).status).toBe(201);
    connected.demand(merchant.account, ["company.tax_id"], new Date("2030-01-01T00:00:00Z"));
    await merchant.sendEvent();
    expect(await merchant.view()).toMatchObject({ state: "enabled", due: ["company.tax_id"], dueBy: expect.any(Date) });
    expect((await merchant.charge()).status).toBe(201);
    connected.restrict(merchant.account, ["company.tax_id"]);
    await merchant.sendEvent();
    expect(await merchant.view()).toMatchObject({ state: "restricted", dueBy: null });
    expect((await refusalOf(merchant.charge())).code).toBe("processor_not_connected");
    connected.submit(merchant.account, "complete");
    await merchant.sendEvent();
    expect((await merchant.charge()).status).toBe(201);
    connected.reject(merchant.account);
    await merchant.sendEvent();
    expect(await merchant.view()).toMatchObject({ state: "disabled", disabledReason: "rejected.fraud" });
    expect((await refusalOf(merchant.charge())).code).toBe("processor_not_connected");
  });

  test("a slow report about an older state doesn't replace the newer one", async () => {
    const merchant = await makeConnected();
    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    setup.state.wrap = (processor) => {
      const { accounts } = processor;
      if (!accounts) return processor;
      const read: typeof accounts.read = async (request) => {
        const answer = await accounts.read(request);
        if (isFirst) {
          isFirst = false;
          await isHeld;
        }
        return answer;
      };
      return { ...processor, accounts: { ...accounts, read } };
    };
    const slow = merchant.sendEvent();
    await expect.poll(() => isFirst).toBe(false);
    setup.standIn.connected.submit(merchant.account, "complete");
    expect(await merchant.sendEvent()).toBe(200);
    release();
    expect(await slow).toBe(200);
    expect(await merchant.view()).toMatchObject({ state: "enabled" });
  });

  test("twenty concurrent events record one change", async () => {
    const merchant = await makeConnected();
    setup.standIn.connected.submit(merchant.account, "complete");
    const statuses = await Promise.all(Array.from({ length: 20 }, () => merchant.sendEvent()));
    // An event that lost every race is refused, and Stripe sends it again.
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    const states = (await merchant.audit()).filter(({ action }) => action === "merchant.processor_state_changed");
    expect([states.length, (await merchant.view()).state]).toEqual([1, "enabled"]);
  });

  test("forged events and events of unknown accounts change nothing", async () => {
    const merchant = await makeConnected();
    setup.standIn.connected.submit(merchant.account, "complete");
    expect(await merchant.sendEvent({ object: "account" }, "account.updated", "whsec_other")).toBe(400);
    const other = {
      id: "evt_1",
      object: "event",
      type: "account.updated",
      account: "acct_other",
      data: { object: { object: "account" } },
    };
    expect(await setup.send(JSON.stringify(other))).toBe(200);
    expect((await merchant.rowOf()).chargesEnabled).toBe(false);
  });

  test("while Stripe can't be reached, the event is refused, so that Stripe sends it again", async () => {
    const merchant = await makeConnected();
    setup.standIn.connected.submit(merchant.account, "complete");
    setup.state.isReachable = false;
    expect(await merchant.sendEvent()).toBe(503);
    setup.state.isReachable = true;
    expect(await merchant.sendEvent()).toBe(200);
    expect((await merchant.rowOf()).chargesEnabled).toBe(true);
  });

  test("owners and admins get an e-mail when charges become possible, and when Stripe stops them", async () => {
    const merchant = await makeConnected();
    setup.standIn.connected.submit(merchant.account, "complete");
    await merchant.sendEvent();
    setup.standIn.connected.restrict(merchant.account, ["company.tax_id"]);
    await merchant.sendEvent();
    await merchant.sendEvent();
    const { email: recipient } = await setup.deps.db.prisma.account.findUniqueOrThrow({
      where: { id: merchant.actor.id },
    });
    const mails = await setup.deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } });
    expect(mails.map(({ kind }) => kind).toSorted()).toEqual(["charges_enabled", "charges_stopped"]);
  });

  test("accounts whose events were lost are read hourly, and daily while they accept charges", async () => {
    const { deps, standIn } = setup;
    await refreshDueAccounts(deps, { requestId: "req_test" });
    const merchant = await makeConnected();
    standIn.connected.submit(merchant.account, "complete");
    const run = () => refreshDueAccounts(deps, { requestId: "req_test" });
    await Promise.all([run(), run()]);
    expect((await merchant.view()).state).toBe("enabled");
    const changes = (await merchant.audit()).filter(({ action }) => action === "merchant.processor_state_changed");
    expect(changes).toHaveLength(1);
    expect(await run()).toEqual({ read: 0, failed: 0 });
    standIn.connected.restrict(merchant.account, ["company.tax_id"]);
    deps.clock.advance(23 * 3_600);
    await run();
    expect((await merchant.view()).state).toBe("enabled");
    deps.clock.advance(3_601);
    setup.state.isReachable = false;
    expect((await run()).read).toBe(0);
    setup.state.isReachable = true;
    await run();
    expect((await merchant.view()).state).toBe("restricted");
  });

  test("a merchant that disconnects its account at Stripe can't charge", async () => {
    const merchant = await makeConnected();
    setup.standIn.connected.submit(merchant.account, "complete");
    await merchant.sendEvent();
    setup.standIn.connected.disconnect(merchant.account);
    expect(await merchant.sendEvent({ object: "application" }, "account.application.deauthorized")).toBe(200);
    expect(await merchant.view()).toMatchObject({ state: "disconnected" });
    expect((await refusalOf(merchant.charge())).code).toBe("processor_not_connected");
    expect((await refusalOf(merchant.open())).code).toBe("account_disconnected");
    const input = { merchantId: merchant.merchantId, reason: "Asked by phone", requestId: "req_test" };
    const actor = { kind: "operator", id: "acc_operator" } as const;
    const answers = await Promise.all(Array.from({ length: 3 }, () => forgetAccount(setup.deps, { ...input, actor })));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await merchant.view()).toMatchObject({ state: "not_connected" });
    await merchant.open();
    expect(await merchant.accountOf()).not.toBe(merchant.account);
    expect(await forgetAccount(setup.deps, { ...input, actor })).toEqual({ isNew: false });
    expect(await merchant.view()).toMatchObject({ state: "details_needed" });
  });
});
