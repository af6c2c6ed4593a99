import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { startConnectSetup } from "./processor-setup.fixture.ts";

let setup: Awaited<ReturnType<typeof startConnectSetup>>;
beforeAll(async () => {
  setup = await startConnectSetup();
});
beforeEach(() => Object.assign(setup.state, { totalMs: 20_000, isReachable: true }));
afterAll(() => setup.close());

/** Makes a call whose request times out, before or after Stripe accepts it. */
const losing = async (fault: "timeout_before_accept" | "timeout_after_accept", call: () => Promise<unknown>) => {
  setup.state.totalMs = 1_000;
  setup.standIn.plan(fault);
  expect((await refusalOf(call())).code).toBe("processor_unavailable");
  setup.state.totalMs = 20_000;
};
const openRequests = () => setup.deps.db.prisma.processorAccountRequest.count();

describe("a merchant's account at Stripe is created once (docs/spec/portal.md, Processor account)", () => {
  test("ten concurrent requests create one account, with the merchant's details, and open ten pages", async () => {
    const merchant = await setup.makeUnconnected();
    const pages = await Promise.all(Array.from({ length: 10 }, () => merchant.open()));
    expect(new Set(pages.map(({ pageUrl }) => pageUrl)).size).toBe(10);
    const [account, ...others] = merchant.accounts();
    expect(others).toEqual([]);
    expect(account).toMatchObject({
      country: "DE",
      business_profile: { url: "https://shop.example/" },
      settings: { payments: { statement_descriptor: "FRESH MARKET" } },
    });
    expect(await merchant.rowOf()).toMatchObject({ processorAccount: account?.id, chargesEnabled: false });
    const actions = (await merchant.audit()).map(({ action }) => action);
    expect(actions.filter((action) => action === "merchant.processor_account_created")).toHaveLength(1);
    expect(actions.filter((action) => action === "merchant.processor_page_opened")).toHaveLength(10);
    expect(await openRequests()).toBe(0);
  });

  test("after a crash between the creation at Stripe and our commit, the next request finds the account", async () => {
    const merchant = await setup.makeUnconnected();
    await losing("timeout_after_accept", merchant.open);
    expect([merchant.accounts().length, await merchant.accountOf(), await openRequests()]).toEqual([1, "", 1]);
    await merchant.open();
    expect(merchant.accounts().map(({ id }) => id)).toEqual([await merchant.accountOf()]);
  });

  test("after such a crash, changed business details don't change the repeated request", async () => {
    const merchant = await setup.makeUnconnected();
    await losing("timeout_after_accept", merchant.open);
    await setup.deps.db.prisma.merchant.update({ where: { id: merchant.merchantId }, data: { displayName: "Other" } });
    await merchant.open();
    expect(merchant.accounts()).toHaveLength(1);
  });

  test("a day later, when Stripe has forgotten the key, the account is searched for", async () => {
    const merchant = await setup.makeUnconnected();
    await losing("timeout_after_accept", merchant.open);
    setup.standIn.forgetKeys();
    setup.deps.clock.advance(24 * 3600);
    await merchant.open();
    expect(merchant.accounts().map(({ id }) => id)).toEqual([await merchant.accountOf()]);
  });

  test("a day later, a request that never arrived is sent again", async () => {
    const merchant = await setup.makeUnconnected();
    await losing("timeout_before_accept", merchant.open);
    setup.standIn.forgetKeys();
    setup.deps.clock.advance(24 * 3600);
    await Promise.all([merchant.open(), merchant.open()]);
    expect(merchant.accounts().map(({ id }) => id)).toEqual([await merchant.accountOf()]);
  });

  test("a request waits for the result of another request with the same key", async () => {
    const merchant = await setup.makeUnconnected();
    setup.standIn.plan("busy_once");
    setup.standIn.plan("busy_once");
    await merchant.open();
    expect(merchant.accounts().map(({ id }) => id)).toEqual([await merchant.accountOf()]);
  });

  test("if Stripe created the account and answers with an error, the account is searched for", async () => {
    const merchant = await setup.makeUnconnected();
    setup.standIn.plan("error_kept");
    await merchant.open();
    expect(merchant.accounts().map(({ id }) => id)).toEqual([await merchant.accountOf()]);
  });

  test("details that Stripe refuses create nothing; corrected details create the account", async () => {
    const merchant = await setup.makeUnconnected("KP");
    expect(await refusalOf(merchant.open())).toMatchObject({ code: "account_refused", kind: "unprocessable" });
    expect([merchant.accounts(), await openRequests()]).toEqual([[], 0]);
    await setup.deps.db.prisma.merchant.update({ where: { id: merchant.merchantId }, data: { country: "FR" } });
    await merchant.open();
    expect(merchant.accounts()).toMatchObject([{ country: "FR" }]);
  });

  test("while Stripe can't be reached, nothing is recorded", async () => {
    const merchant = await setup.makeUnconnected();
    setup.state.isReachable = false;
    expect((await refusalOf(merchant.open())).code).toBe("processor_unavailable");
    expect([await merchant.accountOf(), await merchant.audit()]).toEqual(["", []]);
    setup.state.isReachable = true;
    await merchant.open();
    expect(merchant.accounts()).toHaveLength(1);
  });

  test.each([
    [{ review: "pending" }, "merchant_pending"],
    [{ review: "declined" }, "merchant_declined"],
    [{ processor: "simulator" }, "processor_not_connectable"],
  ] as const)("a merchant with %o is refused, and nothing is sent to Stripe", async (data, code) => {
    const merchant = await setup.makeUnconnected();
    await setup.deps.db.prisma.merchant.update({ where: { id: merchant.merchantId }, data });
    expect((await refusalOf(merchant.open())).code).toBe(code);
    expect(merchant.accounts()).toEqual([]);
  });
});
