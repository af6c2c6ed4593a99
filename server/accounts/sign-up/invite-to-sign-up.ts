import { insertInvitation } from "../../data/accounts/pending-sign-ups.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";

/**
 * Lets the holder of an address sign up while SIGN_UP=invite. Call it in the transaction that invites a member of a
 * merchant's team or an operator.
 * @returns a token for the link: `/sign-up?invitation=TOKEN&return_to=PATH`.
 */
export const inviteToSignUp = async (
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  { email, expiresAt }: { email: string; expiresAt: Date },
): Promise<string> => {
  const token = newSecret();
  const address = tidyEmail(email);
  await insertInvitation(tx, { tokenHash: sha256Base64url(token), email: address, createdAt: clock.now(), expiresAt });
  return token;
};
