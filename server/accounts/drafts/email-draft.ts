import { defineDraft } from "./draft.ts";

/** The forms for sign-in, password reset and recovery codes share this draft, so that each shows the e-mail address. */
export const emailDraft = defineDraft<{ email: string }>("email_draft");
