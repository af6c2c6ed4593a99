import { addressPrefix } from "../../kernel/text/ip-address.ts";

/** The failed attempts that one key may make before it must wait. */
export type SignInLimit = { key: string; capacity: number; drainSeconds: number };

const own = { capacity: 10, drainSeconds: 60 };
const perAddress = { capacity: 50, drainSeconds: 20 };

/**
 * Limits for browsers that are unknown to the account. The key is the hash of the claimed name, so that unknown accounts have a
 * limit too and no e-mail address is stored. `ipAddress` null: the address isn't limited.
 */
export const strangerLimits = (input: { claimedHash: string; ipAddress: string | null }): SignInLimit[] => {
  const account = { ...own, key: `account:${input.claimedHash}` };
  return input.ipAddress === null
    ? [account]
    : [account, { ...perAddress, key: `address:${addressPrefix(input.ipAddress)}` }];
};

/**
 * The limit for a browser that signed in to the account before. Other people don't know its key, so they can't use it
 * up.
 */
export const knownBrowserLimit = (browserId: string): SignInLimit => ({ ...own, key: `browser:${browserId}` });

/** The limit for a confirmation within a session. Only that session can use it up. */
export const stepUpLimit = (input: { accountId: string; sessionId: string }): SignInLimit => ({
  ...own,
  key: `step-up:${input.accountId}:${input.sessionId}`,
});

/** The limit for the codes of an authenticator app: a million codes, three of which are valid at a time. */
export const totpLimit = (input: { accountId: string }): SignInLimit => ({ ...own, key: `totp:${input.accountId}` });
