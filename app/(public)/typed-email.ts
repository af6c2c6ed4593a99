import { emailDraft } from "#server/accounts/drafts/email-draft.ts";
import { currentCookies, pageDeps } from "../page-context.ts";

/** The e-mail address of this browser's last form that was refused. */
export const typedEmail = async (): Promise<string | undefined> =>
  emailDraft.open(await pageDeps(), await currentCookies())?.email;
