import type { OperatorRole } from "../../accounts/authorize.ts";
import { findAccountByEmail, findAccountById } from "../../data/accounts/accounts.ts";
import { findInvitationBySecret } from "../../data/operators/operator-invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

export type Invitation = {
  email: string;
  role: OperatorRole;
  expiresAt: Date;
  hasAccount: boolean;
  /** the link resets the second factor of an operator */
  isReset: boolean;
};

/** The purpose of a link; null if it is unknown, expired, used or replaced. This doesn't use the link. */
export const findOperatorInvitation = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { token }: { token: string },
): Promise<Invitation | null> => {
  const row = await findInvitationBySecret(db.sql, sha256Base64url(token), clock.now());
  if (!row) return null;
  // A link that resets a second factor belongs to an account, whose address may have changed.
  const account = (await findAccountById(db.prisma, row.new_account_id)) ?? (await findAccountByEmail(db, row.email));
  const operatorRole = account?.operatorRole ?? null;
  return {
    email: account?.email ?? row.email,
    role: operatorRole ?? row.role,
    expiresAt: row.expires_at,
    hasAccount: account !== null,
    isReset: operatorRole !== null,
  };
};
