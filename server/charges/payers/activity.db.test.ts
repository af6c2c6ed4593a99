import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { revokeSession } from "../../accounts/sessions/revoke-session.ts";
import { openSession, passwordAcr } from "../../accounts/sessions/sessions.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { listActivity, listActivityChoices } from "./list-activity.ts";
import { summarizeSpend } from "./summarize-spend.ts";
import { getActivityFingerprint, watchActivity } from "./watch-activity.ts";

let deps: TestDeps;
let own: Awaited<ReturnType<typeof makeChargeableMandate>>;
let ids: { paid: string; early: string; declined: string };
const bank = scriptedProcessor();

beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors, now: new Date("2026-11-20T12:00:00Z") });
  own = await makeChargeableMandate(deps);
  await makeChargeableMandate(deps).then(({ charge }) => charge());
  const early = await own.charge({ amount: 300 });
  deps.clock.advance(60);
  const paid = await own.charge({ amount: 500 });
  deps.clock.advance(60);
  const { pay } = bank.state;
  bank.state.pay = async () => ({
    kind: "declined",
    processorRef: null,
    declineCode: "insufficient_funds",
    retryable: false,
    advice: "-",
  });
  const declined = await own.charge({ amount: 900 });
  bank.state.pay = pay;
  ids = { early: early.chargeId, paid: paid.chargeId, declined: declined.chargeId };
});
afterAll(() => deps.close());

const list = async (filters: Partial<Parameters<typeof listActivity>[1]> = {}) => {
  const { entries, hasMore } = await listActivity(deps, { payerId: own.payer.id, limit: 10, ...filters });
  return [entries.map(({ id }) => id), hasMore];
};

describe("the payer's activity", () => {
  it("lists the payer's charges only, newest first, in pages without gaps or repeats", async () => {
    expect(await list()).toEqual([[ids.declined, ids.paid, ids.early], false]);
    expect(await list({ limit: 2 })).toEqual([[ids.declined, ids.paid], true]);
    expect(await list({ limit: 2, startingAfter: ids.paid })).toEqual([[ids.early], false]);
    expect(await list({ payerId: "acc_other", startingAfter: ids.paid })).toEqual([[], false]);
  });

  it("combines filters by mandate, agent, merchant, state and time", async () => {
    const { mandateId, agent, merchant } = own;
    const failed = { show: "failed" } as const;
    const paid = { show: "paid" } as const;
    expect(await list(failed)).toEqual([[ids.declined], false]);
    expect(await list({ ...paid, limit: 1 })).toEqual([[ids.paid], true]);
    expect(await list({ ...paid, limit: 1, startingAfter: ids.paid })).toEqual([[ids.early], false]);
    expect(await list({ clientId: agent.id, ...failed })).toEqual([[ids.declined], false]);
    expect(await list({ mandateId, merchantId: merchant.id, ...paid })).toEqual([[ids.paid, ids.early], false]);
    expect(await list({ clientId: "cl_other" })).toEqual([[], false]);
    expect(await list({ merchantId: "mch_other" })).toEqual([[], false]);
    const minute = addSeconds(new Date("2026-11-20T12:00:00Z"), 60);
    expect(await list({ createdFrom: minute, createdTo: addSeconds(minute, 60) })).toEqual([[ids.paid], false]);
  });

  it("names the agents and merchants of the payer", async () => {
    const choices = await listActivityChoices(deps, { payerId: own.payer.id });
    expect(choices.clients.map(({ id }) => id)).toEqual([own.agent.id]);
    expect(choices.merchants.map(({ id }) => id)).toEqual([own.merchant.id]);
  });

  it("sums the current month by agent, in the payer's time zone, and leaves out charges that moved no money", async () => {
    const sum = async (timeZone: string) => {
      const { month, spend } = await summarizeSpend(deps, { payerId: own.payer.id, timeZone });
      return [month.startsAt.toISOString(), spend.map(({ clientId, spent, count }) => [clientId, spent, count])];
    };
    expect(await sum("Europe/Berlin")).toEqual(["2026-10-31T23:00:00.000Z", [[own.agent.id, 800n, 2]]]);
    deps.clock.set(new Date("2026-11-30T23:30:00Z"));
    expect(await sum("Europe/Berlin")).toEqual(["2026-11-30T23:00:00.000Z", []]);
    expect(await sum("UTC")).toEqual(["2026-11-01T00:00:00.000Z", [[own.agent.id, 800n, 2]]]);
  });
});

describe("live updates", () => {
  const openOwn = () =>
    deps.db.transaction((tx) =>
      openSession(tx, {
        accountId: own.payer.id,
        acr: passwordAcr,
        info: { requestId: "req_test", ipAddress: "192.0.2.1", userAgent: "Vitest" },
        now: deps.clock.now(),
      }),
    );

  it("end once the session has ended, without reporting a later charge", async () => {
    const payerId = own.payer.id;
    const { sessionId } = await openOwn();
    const fingerprint = await getActivityFingerprint(deps, payerId);
    const changes = watchActivity(deps, { payerId, sessionId, fingerprint, signal: undefined });
    await revokeSession(deps, { accountId: payerId, sessionId, requestId: "req_test" });
    await own.charge({ amount: 100 });
    expect(await changes.next()).toMatchObject({ done: true });
  });

  it("yield a new value after a charge of this payer, even if the charge was made before the page connected, and end when aborted", async () => {
    const payerId = own.payer.id;
    const fingerprint = await getActivityFingerprint(deps, payerId);
    await own.charge({ amount: 100 });
    const page = new AbortController();
    const { sessionId } = await openOwn();
    const changes = watchActivity(deps, { payerId, sessionId, fingerprint, signal: page.signal });
    const first = await changes.next();
    expect([first.value === fingerprint, first.value]).toEqual([false, await getActivityFingerprint(deps, payerId)]);
    await own.charge({ amount: 100 });
    expect((await changes.next()).value).toBe(await getActivityFingerprint(deps, payerId));
    page.abort();
    expect(await changes.next()).toMatchObject({ done: true });
  });

  it("refuse a fifth connection of one payer, and accept it after another connection has ended", async () => {
    const pages = Array.from({ length: 5 }, () => new AbortController());
    const { sessionId } = await openOwn();
    const open = ({ signal }: AbortController) =>
      watchActivity(deps, { payerId: own.payer.id, sessionId, fingerprint: "old", signal });
    const [first, ...others] = pages.map(open);
    await Promise.all([first?.next(), ...others.slice(0, 3).map((each) => each.next())]);
    await expect(others[3]?.next()).rejects.toMatchObject({ code: "too_many_connections" });
    await first?.return(undefined);
    const again = open(pages[4] as AbortController);
    expect((await again.next()).done).toBe(false);
    for (const each of [...others, again]) await each.return(undefined);
  });
});
