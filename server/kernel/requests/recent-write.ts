/**
 * The cookie that a browser gets after each change. While it lasts, all requests of this browser read from the primary,
 * because a standby may lag by up to five seconds, and pages must show the change.
 */
const name = "recent_write";
const seconds = 10;

/** A value for `set-cookie` and for `document.cookie`. It has no effect on security. */
export const recentWriteCookie = `${name}=1; Max-Age=${seconds}; Path=/; SameSite=Lax`;

export const hasRecentWrite = (cookieHeader: string | null): boolean =>
  cookieHeader?.split(/; */).includes(`${name}=1`) ?? false;
