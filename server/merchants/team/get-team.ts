import { type InvitationRow, listOpenInvitations } from "../../data/merchants/invitations.ts";
import { listTeam, type TeamMember } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";

/** The members, owners first, and the open invitations, newest first. */
export const getTeam = async (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<{ members: TeamMember[]; invitations: InvitationRow[] }> => {
  const [members, invitations] = await Promise.all([
    listTeam(db.sql, merchantId),
    listOpenInvitations(db.sql, merchantId),
  ]);
  return { members, invitations };
};
