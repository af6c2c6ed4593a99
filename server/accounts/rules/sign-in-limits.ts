import { addressPrefix } from "../../kernel/text/ip-address.ts";

/** Failed attempts that one key may make before it has to wait. */
export type SignInLimit = { key: string; capacity: number; drainSeconds: number };

const own = { capacity: 10, drainSeconds: 60 };
const perAddress = { capacity: 50, drainSeconds: 20 };

/**
 * For browsers that the account doesn't know. The account's bucket is named by the hash of what was typed, so that it
 * exists for unknown accounts too and stores no e-mail. `ipAddress` null: this caller's address isn't limited.
 */
export const strangerLimits = (input: { claimedHash: string; ipAddress: string | null }): SignInLimit[] => {
  const account = { ...own, key: `account:${input.claimedHash}` };
  return input.ipAddress === null
    ? [account]
    : [account, { ...perAddress, key: `address:${addressPrefix(input.ipAddress)}` }];
};

/** For a browser that signed in to the account before: strangers can't name this bucket, so they can't fill it. */
export const knownBrowserLimit = (browserId: string): SignInLimit => ({ ...own, key: `browser:${browserId}` });

/** For proving again who is there within a session: only that session can fill it. */
export const stepUpLimit = (input: { accountId: string; sessionId: string }): SignInLimit => ({
  ...own,
  key: `step-up:${input.accountId}:${input.sessionId}`,
});
