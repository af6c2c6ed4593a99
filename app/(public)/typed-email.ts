import { emailDraft } from "#server/accounts/drafts/email-draft.ts";
import { currentCookies, pageDeps } from "../page-context.ts";

/** The e-mail address that was entered in the last refused form of this browser. */
export const typedEmail = async (): Promise<string | undefined> =>
  emailDraft.open(await pageDeps(), await currentCookies())?.email;
