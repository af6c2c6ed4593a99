import type { Metadata } from "next";
import { TeamInvitationTable } from "#components/merchant/team/invitation-table.tsx";
import { InviteForm } from "#components/merchant/team/invite-form.tsx";
import { MemberTable } from "#components/merchant/team/member-table.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Team" };

const TeamPage = async () => {
  const { api, merchantId, merchantName, role, account, reader, email, may } = await merchantPage("/merchant/team");
  const { members, invitations } = await api.team.list({ merchantId });
  return (
    <>
      <PageHead title="Team">The people who can open this dashboard, with their roles.</PageHead>
      {may("team.invite") ? (
        <Section title="Invite someone">
          <InviteForm merchantId={merchantId} email={email} />
        </Section>
      ) : null}
      <Section title="Members">
        <MemberTable
          members={members}
          self={{ accountId: account.id, role, email }}
          merchant={{ merchantId, merchantName }}
          mayChange={may("team.change_role")}
          reader={reader}
        />
      </Section>
      {invitations.length > 0 ? (
        <Section title="Open invitations">
          <TeamInvitationTable
            merchantId={merchantId}
            invitations={invitations}
            mayChange={may("team.resend")}
            reader={reader}
          />
        </Section>
      ) : null}
    </>
  );
};

export default TeamPage;
