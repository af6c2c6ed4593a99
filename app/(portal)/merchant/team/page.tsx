import type { Metadata } from "next";
import { TeamInvitationTable } from "#components/merchant/team/invitation-table.tsx";
import { InviteForm } from "#components/merchant/team/invite-form.tsx";
import { MemberTable } from "#components/merchant/team/member-table.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Team" };

const TeamPage = async () => {
  const page = await merchantPage("/merchant/team");
  const { api, merchantId, merchantName, standing, role, account, reader, email, may } = page;
  const { members, invitations } = await api.team.list({ merchantId });
  const isStopped = standing === "declined" || standing === "suspended";
  return (
    <>
      <PageHead title="Team">The people who can open this dashboard, with their roles.</PageHead>
      {may("team.invite") ? (
        <Section title="Invite someone">
          {isStopped ? (
            <p className="muted small">{stoppedNote[standing]}</p>
          ) : (
            <InviteForm merchantId={merchantId} email={email} />
          )}
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
            acts={{ maySend: may("team.resend") && !isStopped, mayCancel: may("team.cancel") }}
            reader={reader}
          />
        </Section>
      ) : null}
    </>
  );
};

const stoppedNote = {
  declined: "Your merchant was not approved, so no one can be invited.",
  suspended: "Your merchant is suspended, so no one can be invited until the suspension is lifted.",
};

export default TeamPage;
