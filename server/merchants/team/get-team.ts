import { type InvitationRow, listOpenInvitations } from "../../data/merchants/invitations.ts";
import { listTeam, type TeamMember } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = {
  merchantId: string;
  /** a part of a name or of an e-mail address */
  search?: string | undefined;
  /** the last account of the previous page */
  startingAfter?: string | undefined;
  /** the number of members on a page */
  limit?: number;
};

type Team = { members: TeamMember[]; hasMore: boolean; invitations: InvitationRow[] };

/** A page of the members, owners first, and the open invitations, newest first. */
export const getTeam = async (
  { db }: Pick<Deps, "db">,
  { merchantId, search = "", startingAfter = "", limit = 50 }: Query,
): Promise<Team> => {
  const page = { merchantId, search: search || null, startingAfter: startingAfter || null, limit };
  const [rows, invitations] = await Promise.all([listTeam(db.sql, page), listOpenInvitations(db.sql, merchantId)]);
  const text = search.toLowerCase();
  return {
    members: rows.slice(0, limit),
    hasMore: rows.length > limit,
    invitations: invitations.filter(({ email }) => email.toLowerCase().includes(text)),
  };
};
