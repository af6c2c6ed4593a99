import type { Metadata } from "next";
import { InviteOperator } from "#components/operator/team/invite-operator.tsx";
import { InvitationTable, OperatorTable } from "#components/operator/team/operator-tables.tsx";
import { operatorRoleLabels } from "#components/operator/team/role-labels.ts";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Operators" };

const here = "/operator/operators";

const OperatorsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const { api, reader, now, email, may } = await operatorPage(here);
  const { operators, hasMore, invitations } = await api.operatorTeam.list({ search, startingAfter: after });
  return (
    <>
      <PageHead title="Operators" act={may("operator.invite") ? <InviteOperator email={email} /> : null}>
        People who run the service.
      </PageHead>
      <FilterForm action={here} filters={{ q: search }} submit="Search">
        <SearchField label="Search operators" value={search} hint="A part of a name or e-mail address." />
      </FilterForm>
      {operators.length > 0 ? (
        <OperatorTable operators={operators} now={now} reader={reader} email={email} />
      ) : (
        <ListEmpty
          isFiltered
          clear={here}
          noMatch="No operator’s name or e-mail address contains this text."
          clearLabel="Clear the search"
          title="No operators"
        >
          People who run the service are listed here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(here, { q: search })}
        older={hasMore ? listAddress(here, { q: search, after: operators.at(-1)?.id }) : null}
        texts={{ pages: "Pages", newest: "First", older: "Next" }}
      />
      <Section title="Roles">
        <Facts>
          {Object.values(operatorRoleLabels).map(({ name, summary }) => (
            <Fact key={name} name={name}>
              {summary}
            </Fact>
          ))}
        </Facts>
      </Section>
      {invitations.length > 0 ? (
        <Section title="Pending invitations">
          <InvitationTable invitations={invitations} now={now} reader={reader} email={email} />
        </Section>
      ) : null}
    </>
  );
};

export default OperatorsPage;
