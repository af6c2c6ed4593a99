import { defineDraft } from "./draft.ts";

export type SignUpDraft = {
  name: string;
  email: string;
  method: "passkey" | "password";
  /** the code of the problem by field; `form`: a problem of the whole form */
  problems: Readonly<Record<string, string>>;
};

export const signUpDraft = defineDraft<SignUpDraft>("signup_draft");
