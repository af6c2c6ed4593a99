import { defineDraft } from "./draft.ts";

/** The forms for sign-in, password reset and recovery codes share it, so that each of them shows the address. */
export const emailDraft = defineDraft<{ email: string }>("email_draft");
