import type { LedgerAccount, LedgerState } from "./accounts.ts";

/** Keys are an account and a currency, separated by a space. */
export type Balances = Map<string, bigint>;

type Entry = { account: LedgerAccount; currency: string; amount: bigint; state: LedgerState };

/**
 * The balance of each entry's account and currency after the entry. An entry that isn't posted doesn't change the
 * balance.
 * @param entries newest first, with no entry missing between two entries of an account and currency
 * @param closing the balances after the newest entries
 * @returns also the balances before the oldest entries (`opening`)
 */
export const runningBalances = <E extends Entry>(
  entries: readonly E[],
  closing: ReadonlyMap<string, bigint>,
): { entries: (E & { balance: bigint })[]; opening: Balances } => {
  const opening: Balances = new Map(closing);
  const balanced = entries.map((entry) => {
    const key = `${entry.account} ${entry.currency}`;
    const balance = opening.get(key) ?? 0n;
    opening.set(key, entry.state === "posted" ? balance - entry.amount : balance);
    return { ...entry, balance };
  });
  return { entries: balanced, opening };
};
