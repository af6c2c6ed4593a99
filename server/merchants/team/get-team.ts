import { type InvitationRow, listOpenInvitations } from "../../data/merchants/invitations.ts";
import { listTeam, type TeamMember } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = {
  merchantId: string;
  /** a part of a name or of an e-mail address */
  search?: string | undefined;
};

/** The members, owners first, and the open invitations, newest first. */
export const getTeam = async (
  { db }: Pick<Deps, "db">,
  { merchantId, search = "" }: Query,
): Promise<{ members: TeamMember[]; invitations: InvitationRow[] }> => {
  const [members, invitations] = await Promise.all([
    listTeam(db.sql, { merchantId, search: search === "" ? null : search }),
    listOpenInvitations(db.sql, merchantId),
  ]);
  const text = search.toLowerCase();
  return { members, invitations: invitations.filter(({ email }) => email.toLowerCase().includes(text)) };
};
