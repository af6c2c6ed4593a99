import { addressPrefix } from "../../../kernel/text/ip-address.ts";
import type { SignInLimit } from "../../rules/sign-in-limits.ts";

/**
 * Limits of e-mails with codes. They are the same for every e-mail address, with or without an account, so they don't
 * reveal whether an account exists. `ipAddress` null: no limit per IP address. The limit per IP address comes first, so
 * that an IP address that has used up its limit can't use up the limits of e-mail addresses.
 */
export const signUpLimits = (input: { emailHash: string; ipAddress: string | null }): SignInLimit[] => {
  const email = { key: `sign-up:${input.emailHash}`, capacity: 5, drainSeconds: 15 * 60 };
  return input.ipAddress === null
    ? [email]
    : [{ key: `sign-up-address:${addressPrefix(input.ipAddress)}`, capacity: 20, drainSeconds: 60 }, email];
};
