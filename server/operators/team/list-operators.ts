import type { OperatorRole } from "../../accounts/authorize.ts";
import { findOpenInvitations } from "../../data/operators/operator-invitations.ts";
import { findOperators } from "../../data/operators/operators.ts";
import type { Deps } from "../../deps/deps.ts";

export type OperatorView = {
  id: string;
  email: string;
  name: string;
  role: OperatorRole;
  createdAt: Date;
  /** null: none in the sign-in history */
  lastSignInAt: Date | null;
  passkeys: number;
  hasTotp: boolean;
};

export type InvitationView = { id: string; email: string; role: OperatorRole; invitedBy: string; expiresAt: Date };

/** Operators and open invitations, by address. A link that resets an operator's second factor isn't listed. */
export const listOperators = async ({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ operators: OperatorView[]; invitations: InvitationView[] }> => {
  const [rows, open] = await Promise.all([findOperators(db.sql), findOpenInvitations(db.sql, clock.now())]);
  const operators = rows.map(({ display_name, created_at, last_sign_in_at, has_totp, ...row }) => ({
    ...row,
    name: display_name,
    createdAt: created_at,
    lastSignInAt: last_sign_in_at,
    hasTotp: has_totp,
  }));
  const invitations = open
    .filter(({ email }) => !operators.some((operator) => operator.email === email))
    .map(({ id, email, role, invited_by, expires_at }) => ({
      id,
      email,
      role,
      invitedBy: invited_by,
      expiresAt: expires_at,
    }));
  return { operators, invitations };
};
