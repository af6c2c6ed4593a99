import type { Deps } from "../../deps/deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import { knownBrowserCookie, type MarkedAccount, readKnownBrowser, rememberAccount } from "../rules/known-browser.ts";

/** @returns the cookie that marks this browser as known to the account, and keeps the marks of other accounts. */
export const rememberBrowser = (
  { clock, config }: Pick<Deps, "clock" | "config">,
  { account, cookieHeader }: { account: MarkedAccount; cookieHeader: string | null },
): string => {
  const { environment, masterKey } = config;
  const recognition = { key: masterKey, account, now: clock.now() };
  const browser = rememberAccount(readKnownBrowser(environment, cookieHeader), newSecret(), recognition);
  return knownBrowserCookie(environment, browser);
};
