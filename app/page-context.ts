import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Theme } from "#components/layout/theme-toggle.tsx";
import { preferredLocale } from "#server/accounts/language/find-visitor-locale.ts";
import { findProofMethods, type ProofMethods } from "#server/accounts/sessions/find-proof-methods.ts";
import { findSession, type SessionContext } from "#server/accounts/sessions/find-session.ts";
import { pageAddressHeader } from "#server/contract/headers.ts";
import type { Config } from "#server/deps/config.ts";
import type { Deps } from "#server/deps/deps.ts";
import { currentDeps } from "#server/http/runtime.ts";
import { defaultLocales, languageOf } from "#server/kernel/messages/languages.ts";
import { findDisplayedClock } from "#server/sandbox/displayed-clock.ts";
import { findStatusDeps } from "#server/status/runtime.ts";
import { isPayerPage } from "./payer-pages.ts";

/** Reads the request headers, which makes the page dynamic. A dynamic page isn't rendered during the build. */
export const pageDeps = async (): Promise<Deps> => {
  await headers();
  return currentDeps();
};

/** The configuration for the frame of a page. The status process has it too. */
export const pageConfig = async (): Promise<Config> => {
  const status = findStatusDeps();
  return status ? status.config : (await pageDeps()).config;
};

/** The browser's session, cached per request. */
export const currentSession = cache(async (): Promise<SessionContext | null> => {
  const cookieHeader = (await headers()).get("cookie");
  return findSession(currentDeps(), cookieHeader);
});

/** How the signed-in account can prove its identity. */
export const currentProofMethods = cache(async (): Promise<ProofMethods> => {
  const session = await currentSession();
  if (!session) return { hasPassword: false, hasPasskey: false, hasRecoveryCodes: false };
  return findProofMethods(await pageDeps(), { accountId: session.account.id });
});

/** Whether the signed-in account has a passkey. False for a visitor. */
export const currentHasPasskey = async (): Promise<boolean> => (await currentProofMethods()).hasPasskey;

/** Redirects a visitor to the sign-in form, which returns to this page with its query. */
export const requireSession = async (): Promise<SessionContext> =>
  (await currentSession()) ?? redirect(`/sign-in?return_to=${encodeURIComponent(await currentAddress())}`);

/** The sandbox's time if its clock was moved forward; otherwise null. */
export const currentSandboxClock = cache(async (): Promise<Date | null> => {
  if ((await pageConfig()).environment !== "sandbox") return null;
  try {
    return await findDisplayedClock(await pageDeps());
  } catch {
    // The clock couldn't be read. If the page itself needs the database, it reports the error.
    return null;
  }
});

export const currentTheme = async (): Promise<Theme> => {
  const theme = (await cookies()).get("theme")?.value;
  return theme === "light" || theme === "dark" ? theme : "system";
};

/** Path and query of the page. */
export const currentAddress = async (): Promise<string> => {
  const url = new URL((await headers()).get(pageAddressHeader) ?? "/", "https://own.invalid");
  // Next.js adds this parameter when it loads a page without a new document.
  url.searchParams.delete("_rsc");
  return `${url.pathname}${url.search}`;
};

/**
 * The locale of payer-facing pages: the account's locale, or for a visitor the chosen language or the browser's
 * preference. Other pages are in English.
 */
export const currentLocale = cache(async (): Promise<string> => {
  const session = await currentSession();
  return session ? session.account.locale : visitorLocale();
});

/**
 * The locale that a visitor chose, or the browser's preference. It doesn't need the database, so the status process can
 * show the page too.
 */
export const visitorLocale = async (): Promise<string> => {
  const acceptLanguage = (await headers()).get("accept-language");
  return preferredLocale({ cookies: await currentCookies(), acceptLanguage });
};

/** The locale of the texts of this page: the reader's, or English on pages that payers don't see. */
export const currentPageLocale = cache(async (): Promise<string> => {
  if (!isPayerPage(await currentAddress())) return defaultLocales.en;
  return currentLocale();
});

/** The language choice in the footer of payer-facing pages. */
export const currentLanguageChoice = async () => ({
  current: languageOf(await currentLocale()),
  returnTo: await currentAddress(),
});

/** The Cookie header, for code that reads cookies directly. */
export const currentCookies = async (): Promise<string> => (await cookies()).toString();
