import { findInvitedEmail } from "../../data/accounts/pending-sign-ups.ts";
import { findPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { consentHandleOf } from "../../kernel/consent-path.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** Whether a person may sign up. `invited`: the only address that may sign up; null: any address. */
export type SignUpAdmission =
  | { kind: "admitted"; invited: string | null }
  | { kind: "refused"; reason: "invite_only" | "closed" };

type Source = {
  /** the result of `safeReturnTo` */
  returnTo: string;
  /** the token of `inviteToSignUp`, if the link had one */
  invitation: string | null;
};

/**
 * Decides by SIGN_UP. With `invite`, a person needs an invitation or an open consent request (docs/spec/portal.md,
 * Sign-up).
 */
export const admitSignUp = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { returnTo, invitation }: Source,
): Promise<SignUpAdmission> => {
  const { signUp } = deps.config;
  if (signUp === "closed") return { kind: "refused", reason: "closed" };
  const invited = invitation === null ? null : await findInvited(deps, invitation);
  if (signUp === "open" || invited !== null || (await isOpenConsent(deps, returnTo))) {
    return { kind: "admitted", invited };
  }
  return { kind: "refused", reason: "invite_only" };
};

const findInvited = ({ db, clock }: Pick<Deps, "db" | "clock">, token: string): Promise<string | null> =>
  findInvitedEmail(db, sha256Base64url(token), clock.now());

const isOpenConsent = async ({ db, clock }: Pick<Deps, "db" | "clock">, returnTo: string): Promise<boolean> => {
  const handle = consentHandleOf(returnTo);
  const row = handle === null ? null : await findPushedRequest(db.sql, handle);
  return row !== null && row.completedAt === null && row.completeBy !== null && row.completeBy > clock.now();
};
