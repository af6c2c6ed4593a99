import { addressPrefix } from "../../../kernel/text/ip-address.ts";
import type { SignInLimit } from "../../rules/sign-in-limits.ts";

/**
 * Limits of mails with codes. They apply to every entered address in the same way, with or without an account, so they
 * reveal nothing. `ipAddress` null: the IP address isn't limited. The IP address comes first, so that one that used up its
 * limit can't use up the limits of others.
 */
export const signUpLimits = (input: { emailHash: string; ipAddress: string | null }): SignInLimit[] => {
  const email = { key: `sign-up:${input.emailHash}`, capacity: 5, drainSeconds: 15 * 60 };
  return input.ipAddress === null
    ? [email]
    : [{ key: `sign-up-address:${addressPrefix(input.ipAddress)}`, capacity: 20, drainSeconds: 60 }, email];
};
