import type { OperatorRole } from "../../accounts/authorize.ts";
import { findAccountByEmail } from "../../data/accounts/accounts.ts";
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
  const account = await findAccountByEmail(db, row.email);
  const { email, role, expires_at: expiresAt } = row;
  const operatorRole = account?.operatorRole ?? null;
  return { email, role: operatorRole ?? role, expiresAt, hasAccount: account !== null, isReset: operatorRole !== null };
};
