import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import type { Processor } from "../../deps/processor-port.ts";
import { checkAccount } from "./check-account.ts";
import { startConnectSetup } from "./processor-setup.fixture.ts";
import { refreshAccount } from "./refresh-account.ts";

let setup: Awaited<ReturnType<typeof startConnectSetup>>;
beforeAll(async () => {
  setup = await startConnectSetup();
});
afterAll(() => setup.close());

const sent = { read: 0, link: 0 };
const counting = (processor: Processor): Processor => {
  const { accounts } = processor;
  if (!accounts) return processor;
  const read: typeof accounts.read = (account) => {
    sent.read += 1;
    return accounts.read(account);
  };
  const link: typeof accounts.link = (request) => {
    sent.link += 1;
    return accounts.link(request);
  };
  return { ...processor, accounts: { ...accounts, read, link } };
};
beforeEach(() => {
  Object.assign(sent, { read: 0, link: 0 });
  setup.state.wrap = counting;
});

test("members of a merchant can ask Stripe 20 times in a row, then once every 30 seconds, even with concurrent requests", async () => {
  const merchant = await setup.makeUnconnected();
  const check = () => checkAccount(setup.deps, { merchantId: merchant.merchantId, requestId: "req_test" });
  await merchant.open();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? merchant.open() : check())),
  );
  const codes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
  // Of many concurrent reports about one account, some may be discarded, and then the state stays unknown.
  expect(codes.filter((code) => code === "too_many_processor_requests")).toHaveLength(21);
  const before = { ...sent };
  for (const ask of [check, merchant.open]) {
    const refusal = { kind: "rate_limited", code: "too_many_processor_requests" };
    expect(await refusalOf(ask())).toMatchObject(refusal);
  }
  expect(sent).toEqual(before);
  expect((await merchant.audit()).filter(({ action }) => action.endsWith("page_opened"))).toHaveLength(before.link);
  setup.deps.clock.advance(30);
  await check();
  expect((await refusalOf(check())).code).toBe("too_many_processor_requests");
});

test("another merchant, Stripe's events and the hourly job aren't affected", async () => {
  const [one, two] = [await setup.makeUnconnected(), await setup.makeUnconnected()];
  await one.open();
  for (let index = 0; index < 19; index += 1)
    await checkAccount(setup.deps, { merchantId: one.merchantId, requestId: "req_test" });
  expect((await refusalOf(one.open())).code).toBe("too_many_processor_requests");
  await two.open();
  sent.read = 0;
  expect(await one.sendEvent()).toBe(200);
  await refreshAccount(setup.deps, { merchantId: one.merchantId, requestId: "req_test" });
  expect(sent.read).toBe(2);
});
