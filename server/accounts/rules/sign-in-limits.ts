import { addressPrefix } from "../../kernel/text/ip-address.ts";

/**
 * If `capacity` attempts are counted for one key, the next attempt must wait. One attempt is removed from the count
 * every `drainSeconds`.
 */
export type SignInLimit = { key: string; capacity: number; drainSeconds: number };

/** The purpose of an attempt. Each purpose has its own limits, so attempts for one purpose don't count for another. */
export type AttemptPurpose = "sign_in" | "recovery" | "reset";

const own = { capacity: 10, drainSeconds: 60 };

/** Resets have low limits because they send mail to the claimed address. Recovery codes are rarely entered. */
const limits = {
  sign_in: { prefix: "", own, perAddress: { capacity: 50, drainSeconds: 20 } },
  recovery: {
    prefix: "recovery-",
    own: { capacity: 5, drainSeconds: 120 },
    perAddress: { capacity: 30, drainSeconds: 60 },
  },
  reset: {
    prefix: "reset-",
    own: { capacity: 3, drainSeconds: 600 },
    perAddress: { capacity: 20, drainSeconds: 60 },
  },
} as const satisfies Record<AttemptPurpose, object>;

/**
 * Limits for browsers that are unknown to the account. The key is a hash of what identifies the claimed account, so
 * that unknown accounts have a limit too and no e-mail address is stored. `ipAddress` null: no limit per IP address.
 * The limit per IP address comes first, so that an IP address that has used up its limit can't use up the limits of
 * accounts.
 */
export const strangerLimits = (input: {
  purpose: AttemptPurpose;
  claimedHash: string;
  ipAddress: string | null;
}): SignInLimit[] => {
  const { prefix, own: perAccount, perAddress } = limits[input.purpose];
  const account = { ...perAccount, key: `${prefix}account:${input.claimedHash}` };
  return input.ipAddress === null
    ? [account]
    : [{ ...perAddress, key: `${prefix}address:${addressPrefix(input.ipAddress)}` }, account];
};

/**
 * The limit for a browser that signed in to the account before. Other people don't know its key, so they can't use it
 * up.
 */
export const knownBrowserLimit = (purpose: AttemptPurpose, browserId: string): SignInLimit => ({
  ...limits[purpose].own,
  key: `${limits[purpose].prefix}browser:${browserId}`,
});

/** The limit for a confirmation within a session. Only that session can use it up. */
export const stepUpLimit = (input: { accountId: string; sessionId: string }): SignInLimit => ({
  ...own,
  key: `step-up:${input.accountId}:${input.sessionId}`,
});

/**
 * The limit for the codes of an authenticator app. There are a million codes, and three of them are valid at a time.
 */
export const totpLimit = (input: { accountId: string }): SignInLimit => ({ ...own, key: `totp:${input.accountId}` });

/** The limit for changes of an account's e-mail address. Each change sends a mail to the new address. */
export const emailChangeLimit = (accountId: string): SignInLimit => ({
  key: `email-change:${accountId}`,
  capacity: 5,
  drainSeconds: 600,
});
