import type { Deps } from "../../deps/deps.ts";
import { draftCookie, readDraftCookie, type SignUpDraft } from "./rules/sign-up-draft.ts";

const context = "sign_up_draft";

/**
 * Stored in an encrypted cookie, so that names and e-mail addresses aren't in the page's URL and can't be read in the
 * cookie.
 */
export const sealSignUpDraft = ({ sealer, config }: Pick<Deps, "sealer" | "config">, draft: SignUpDraft): string =>
  draftCookie(config.environment, sealer.seal(JSON.stringify(draft), context));

/** @returns the values that this browser sent last, if the form was refused; null otherwise. */
export const openSignUpDraft = (
  { sealer, config }: Pick<Deps, "sealer" | "config">,
  cookieHeader: string | null,
): SignUpDraft | null => {
  const sealed = readDraftCookie(config.environment, cookieHeader);
  if (!sealed) return null;
  try {
    return JSON.parse(sealer.open(sealed, context)) as SignUpDraft;
  } catch {
    // The cookie is old or was changed, so the form is empty.
    return null;
  }
};
