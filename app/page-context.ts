import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Theme } from "#components/layout/theme-toggle.tsx";
import { hasPasskey } from "#server/accounts/passkeys/has-passkey.ts";
import { findSession, type SessionContext } from "#server/accounts/sessions/find-session.ts";
import type { Config } from "#server/deps/config.ts";
import type { Deps } from "#server/deps/deps.ts";
import { currentDeps } from "#server/http/runtime.ts";
import { findShownClock } from "#server/sandbox/displayed-clock.ts";
import { findStatusDeps } from "#server/status/runtime.ts";

/** Reading the request makes a page dynamic, so it never runs while Next builds. */
export const pageDeps = async (): Promise<Deps> => {
  await headers();
  return currentDeps();
};

/** What the frame of any page tells of, in the status process too. */
export const pageConfig = async (): Promise<Config> => {
  const status = findStatusDeps();
  return status ? status.config : (await pageDeps()).config;
};

/** The browser's session, looked up once per request. */
export const currentSession = cache(async (): Promise<SessionContext | null> => {
  const cookieHeader = (await headers()).get("cookie");
  return findSession(currentDeps(), cookieHeader);
});

/** Whether who is signed in has a passkey; false for a visitor. */
export const currentHasPasskey = cache(async (): Promise<boolean> => {
  const session = await currentSession();
  return session !== null && hasPasskey(await pageDeps(), { accountId: session.account.id });
});

/** Sends a visitor to the sign-in form, and back here afterwards. */
export const requireSession = async (path: string): Promise<SessionContext> =>
  (await currentSession()) ?? redirect(`/sign-in?return_to=${encodeURIComponent(path)}`);

/** The sandbox's time where an operator has put it ahead, else null. */
export const currentSandboxClock = cache(async (): Promise<Date | null> => {
  if ((await pageConfig()).environment !== "sandbox") return null;
  try {
    return await findShownClock(await pageDeps());
  } catch {
    // The page below says what is wrong, where it needs the database at all.
    return null;
  }
});

export const currentTheme = async (): Promise<Theme> => {
  const theme = (await cookies()).get("theme")?.value;
  return theme === "light" || theme === "dark" ? theme : "system";
};
