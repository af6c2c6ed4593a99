import type { Metadata } from "next";
import { TeamInvitationTable } from "#components/merchant/team/invitation-table.tsx";
import { InviteForm } from "#components/merchant/team/invite-form.tsx";
import { MemberTable } from "#components/merchant/team/member-table.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Team" };

const path = "/merchant/team";

const TeamPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const page = await merchantPage(path);
  const { api, merchantId, merchantName, standing, role, account, reader, email, may, config } = page;
  const { members, hasMore, invitations } = await api.team.list({ merchantId, search, startingAfter: after });
  const isStopped = standing === "declined" || standing === "suspended";
  return (
    <>
      <PageHead title="Team">The people who can open this dashboard, with their roles.</PageHead>
      {may("team.invite") ? (
        <Section title="Invite someone">
          {isStopped ? (
            <p className="muted small">{stoppedNote[standing]}</p>
          ) : (
            <InviteForm merchantId={merchantId} email={email} keepsMail={config.smtpUrl === null} />
          )}
        </Section>
      ) : null}
      <Section title="Members">
        <FilterForm action={path} filters={{ q: search }} submit="Search">
          <SearchField label="Search the team" value={search} hint="A part of a name or e-mail address." />
        </FilterForm>
        {members.length > 0 ? (
          <MemberTable
            members={members}
            self={{ accountId: account.id, role, email }}
            merchant={{ merchantId, merchantName }}
            mayChange={may("team.change_role")}
            reader={reader}
          />
        ) : (
          <ListEmpty
            isFiltered
            clear={path}
            noMatch="No member’s name or e-mail address contains this text."
            clearLabel="Clear the search"
            title="No members"
          >
            Members of the team are listed here.
          </ListEmpty>
        )}
        <MemberPages search={search} after={after} next={hasMore ? members.at(-1)?.accountId : undefined} />
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

type Places = Record<"search" | "after" | "next", string | undefined>;

const MemberPages = ({ search, after, next }: Places) => (
  <Pager
    newest={after === undefined ? null : listAddress(path, { q: search })}
    older={next === undefined ? null : listAddress(path, { q: search, after: next })}
    texts={{ pages: "Pages", newest: "First", older: "Next" }}
  />
);

const stoppedNote = {
  declined: "Your merchant was not approved, so no one can be invited.",
  suspended: "Your merchant is suspended, so no one can be invited until the suspension is lifted.",
};

export default TeamPage;
