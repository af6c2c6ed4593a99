import type { OperatorRole } from "../../accounts/authorize.ts";
import { findOpenInvitations } from "../../data/operators/operator-invitations.ts";
import { findOperators } from "../../data/operators/operators.ts";
import type { Deps } from "../../deps/deps.ts";

type OperatorView = {
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

type InvitationView = { id: string; email: string; role: OperatorRole; invitedBy: string; expiresAt: Date };

type Query = {
  /** a part of the name or of the e-mail address; absent: all operators */
  search?: string | undefined;
  /** the page starts after this account */
  startingAfter?: string | undefined;
  /** the number of operators on a page; absent: all */
  limit?: number;
};

type Team = { operators: OperatorView[]; hasMore: boolean; invitations: InvitationView[] };

/** A page of the operators, and all open invitations. Both lists are sorted by e-mail address. */
export const listOperators = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { search = "", startingAfter = "", limit }: Query = {},
): Promise<Team> => {
  const [rows, open] = await Promise.all([
    findOperators(db.sql, { search: search || null, startingAfter: startingAfter || null, limit: limit ?? null }),
    findOpenInvitations(db.sql, clock.now()),
  ]);
  const operators = rows.slice(0, limit).map(({ display_name, created_at, last_sign_in_at, has_totp, ...row }) => ({
    ...row,
    name: display_name,
    createdAt: created_at,
    lastSignInAt: last_sign_in_at,
    hasTotp: has_totp,
  }));
  const invitations = open.map(({ id, email, role, invited_by, expires_at }) => ({
    id,
    email,
    role,
    invitedBy: invited_by,
    expiresAt: expires_at,
  }));
  return { operators, hasMore: rows.length > operators.length, invitations };
};
