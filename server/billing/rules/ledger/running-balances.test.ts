import { expect, test } from "vitest";
import { runningBalances } from "./running-balances.ts";

const entry = (amount: bigint, state: "posted" | "pending" | "voided" = "posted") =>
  ({ account: "prepaid", currency: "EUR", amount, state }) as const;

const entries = [entry(-700n), entry(250n, "pending"), entry(5_831n), entry(40n, "voided"), entry(-10_000n)];
const closing = new Map([["prepaid EUR", -4_869n]]);

test("each entry has the balance after it, and entries that aren't posted change no balance", () => {
  const all = runningBalances(entries, closing);
  expect(all.entries.map(({ balance }) => balance)).toEqual([-4_869n, -4_169n, -4_169n, -10_000n, -10_000n]);
  expect(all.opening).toEqual(new Map([["prepaid EUR", 0n]]));
});

test("the opening balances of a page are the closing balances of the next one", () => {
  const all = runningBalances(entries, closing).entries;
  for (let cut = 0; cut <= entries.length; cut++) {
    const first = runningBalances(entries.slice(0, cut), closing);
    const second = runningBalances(entries.slice(cut), first.opening);
    expect([...first.entries, ...second.entries]).toEqual(all);
  }
  expect(closing).toEqual(new Map([["prepaid EUR", -4_869n]]));
});
