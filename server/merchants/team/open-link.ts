import { insertInvitation } from "../../data/accounts/pending-sign-ups.ts";
import type { Tx } from "../../data/client.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";

/** A new link of an invitation. Its token also permits the person to sign up while SIGN_UP=invite. */
export const openLink = async (
  tx: Tx,
  { email, at, expiresAt }: { email: string; at: Date; expiresAt: Date },
): Promise<{ token: string; tokenHash: string }> => {
  const token = newSecret();
  const tokenHash = sha256Base64url(token);
  await insertInvitation(tx, { tokenHash, email, createdAt: at, expiresAt });
  return { token, tokenHash };
};
