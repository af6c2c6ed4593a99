import { insertInvitation } from "../../data/accounts/pending-sign-ups.ts";
import type { Tx } from "../../data/client.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";

/** Creates a new link for an invitation. With its token, the person can sign up even while SIGN_UP=invite. */
export const createInvitationLink = async (
  tx: Tx,
  { email, at, expiresAt }: { email: string; at: Date; expiresAt: Date },
): Promise<{ token: string; tokenHash: string }> => {
  const token = newSecret();
  const tokenHash = sha256Base64url(token);
  await insertInvitation(tx, { tokenHash, email, createdAt: at, expiresAt });
  return { token, tokenHash };
};
