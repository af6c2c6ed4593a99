import type { Metadata } from "next";
import { formatDate, formatDateTime } from "#components/format/dates.ts";
import { InvitationActs } from "#components/merchant/team/invitation-acts.tsx";
import { InviteForm } from "#components/merchant/team/invite-form.tsx";
import { LeaveTeam } from "#components/merchant/team/leave-team.tsx";
import { MemberActs } from "#components/merchant/team/member-acts.tsx";
import { roleName } from "#components/merchant/team/roles.ts";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { CellNote, Table } from "#components/ui/table.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Team" };

const TeamPage = async () => {
  const { api, merchantId, merchantName, role, account, reader, email, may } = await merchantPage("/merchant/team");
  const { members, invitations } = await api.team.list({ merchantId });
  const mayChange = may("team.change_role");
  return (
    <>
      <PageHead title="Team">The people who can open this dashboard, with their roles.</PageHead>
      {may("team.invite") ? (
        <Section title="Invite someone">
          <InviteForm merchantId={merchantId} email={email} />
        </Section>
      ) : null}
      <Section title="Members">
        <Table caption="Members" columns={["Member", "Since", { hidden: "Actions" }, "Role"]}>
          <tbody>
            {members.map((member) => {
              const isSelf = member.accountId === account.id;
              const isProtected = member.role === "owner" && role !== "owner";
              return (
                <tr key={member.accountId}>
                  <td>
                    {member.name}
                    {isSelf ? " (you)" : ""}
                    <CellNote>{member.email}</CellNote>
                  </td>
                  <td className="muted" data-figure>
                    {formatDate(new Date(member.since), reader)}
                  </td>
                  <td>
                    {isSelf ? <LeaveTeam merchantId={merchantId} merchantName={merchantName} /> : null}
                    {mayChange && !isSelf && !isProtected ? (
                      <MemberActs
                        merchantId={merchantId}
                        accountId={member.accountId}
                        name={member.name}
                        role={member.role}
                        isOwner={role === "owner"}
                        email={email}
                      />
                    ) : null}
                  </td>
                  <td>{roleName(member.role)}</td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      </Section>
      {invitations.length > 0 ? (
        <Section title="Open invitations">
          <Table caption="Open invitations" columns={["E-mail", "Role", "Valid until", { hidden: "Actions" }, "State"]}>
            <tbody>
              {invitations.map((invitation) => (
                <tr key={invitation.id}>
                  <td>{invitation.email}</td>
                  <td>{roleName(invitation.role)}</td>
                  <td className="muted" data-figure>
                    {formatDateTime(new Date(invitation.expiresAt), reader)}
                  </td>
                  <td>
                    {may("team.resend") ? (
                      <InvitationActs merchantId={merchantId} invitationId={invitation.id} invited={invitation.email} />
                    ) : null}
                  </td>
                  <td>{invitation.isExpired ? <Pill tone="bad">Expired</Pill> : <Pill tone="unknown">Sent</Pill>}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Section>
      ) : null}
    </>
  );
};

export default TeamPage;
