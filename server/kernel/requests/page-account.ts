import { DomainError } from "../errors.ts";

/** The request header in which the script of a page names the account that the page shows. */
export const pageAccountHeader = "x-page-account";

/**
 * A page may stay open after someone signs in with another account in another tab. The page must not change that
 * account.
 * @throws DomainError account_changed.
 */
export const assertPageAccount = (headers: Pick<Headers, "get">, accountId: string | null): void => {
  const shown = headers.get(pageAccountHeader);
  if (shown === null || accountId === null || shown === accountId) return;
  throw new DomainError("conflict", {
    code: "account_changed",
    message: "Nothing was changed, because you signed in with another account in another tab. Reload the page.",
  });
};
