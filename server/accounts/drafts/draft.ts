import type { Deps } from "../../deps/deps.ts";
import { hostCookieName, readCookie, setHostCookie } from "../rules/cookie.ts";

type DraftDeps = Pick<Deps, "sealer" | "config">;

const draftSeconds = 300;

/**
 * The values that a person entered in a form and, for sign-up, the problems of its fields. If a form that was submitted
 * without JavaScript is refused, the page shows the values again. They are in an encrypted cookie, so that names and
 * e-mail addresses are neither in the page's URL nor readable in the cookie. A draft never contains passwords, recovery
 * codes or e-mailed codes.
 * @param name the end of the cookie's name, and the context of the encryption
 */
export const defineDraft = <Draft extends object>(name: string) => {
  const cookieName = ({ config }: Pick<DraftDeps, "config">): string => hostCookieName(config.environment, `_${name}`);
  return {
    /** @returns the cookie that keeps the values. */
    keep: (deps: DraftDeps, draft: Draft): string =>
      setHostCookie(`${cookieName(deps)}=${deps.sealer.seal(JSON.stringify(draft), name)}`, draftSeconds),

    /** @returns the cookies that remove the values: none if the browser has no values. */
    remove: (deps: Pick<DraftDeps, "config">, cookieHeader: string | null): string[] =>
      readCookie(cookieName(deps), cookieHeader) === null ? [] : [setHostCookie(`${cookieName(deps)}=`, 0)],

    /** @returns the values that this browser sent last, if the form was refused; null otherwise. */
    open: (deps: DraftDeps, cookieHeader: string | null): Draft | null => {
      const sealed = readCookie(cookieName(deps), cookieHeader);
      if (!sealed) return null;
      try {
        return JSON.parse(deps.sealer.open(sealed, name)) as Draft;
      } catch {
        // The cookie was changed, or encrypted with another key, so the form is empty.
        return null;
      }
    },
  };
};
