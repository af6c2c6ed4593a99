import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Theme } from "#components/layout/theme-toggle.tsx";
import { hasPasskey } from "#server/accounts/passkeys/has-passkey.ts";
import { findSession, type SessionContext } from "#server/accounts/sessions/find-session.ts";
import type { Config } from "#server/deps/config.ts";
import type { Deps } from "#server/deps/deps.ts";
import { currentDeps } from "#server/http/runtime.ts";
import { findDisplayedClock } from "#server/sandbox/displayed-clock.ts";
import { findStatusDeps } from "#server/status/runtime.ts";

/** Reads the request, which makes the page dynamic: it never runs during the build. */
export const pageDeps = async (): Promise<Deps> => {
  await headers();
  return currentDeps();
};

/** The configuration for the frame of a page, in the status process too. */
export const pageConfig = async (): Promise<Config> => {
  const status = findStatusDeps();
  return status ? status.config : (await pageDeps()).config;
};

/** The browser's session, cached per request. */
export const currentSession = cache(async (): Promise<SessionContext | null> => {
  const cookieHeader = (await headers()).get("cookie");
  return findSession(currentDeps(), cookieHeader);
});

/** Whether the signed-in account has a passkey; false for a visitor. */
export const currentHasPasskey = cache(async (): Promise<boolean> => {
  const session = await currentSession();
  return session !== null && hasPasskey(await pageDeps(), { accountId: session.account.id });
});

/** Redirects a visitor to the sign-in form, which returns to this path. */
export const requireSession = async (path: string): Promise<SessionContext> =>
  (await currentSession()) ?? redirect(`/sign-in?return_to=${encodeURIComponent(path)}`);

/** The sandbox's time if an operator advanced it, else null. */
export const currentSandboxClock = cache(async (): Promise<Date | null> => {
  if ((await pageConfig()).environment !== "sandbox") return null;
  try {
    return await findDisplayedClock(await pageDeps());
  } catch {
    // If the page needs the database, it reports the error itself.
    return null;
  }
});

export const currentTheme = async (): Promise<Theme> => {
  const theme = (await cookies()).get("theme")?.value;
  return theme === "light" || theme === "dark" ? theme : "system";
};
