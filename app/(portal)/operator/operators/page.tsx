import type { Metadata } from "next";
import { InviteOperator } from "#components/operator/team/invite-operator.tsx";
import { InvitationTable, OperatorTable } from "#components/operator/team/operator-tables.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Operators" };

const here = "/operator/operators";

const OperatorsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const after = searchId(await searchParams, "after");
  const { api, reader, now, email, may } = await operatorPage(here);
  const { operators, hasMore, invitations } = await api.operatorTeam.list({ startingAfter: after });
  return (
    <>
      <PageHead title="Operators" act={may("operator.invite") ? <InviteOperator email={email} /> : null}>
        People who run the service. Admins can do everything. Support can suspend and resume mandates and merchants, end
        payers’ sessions, retry jobs, manage incidents and maintenance, and view everything except e-mail. Viewers can
        view everything except e-mail.
      </PageHead>
      <OperatorTable operators={operators} now={now} reader={reader} email={email} />
      <Pager
        newest={after === undefined ? null : here}
        older={hasMore ? listAddress(here, { after: operators.at(-1)?.id }) : null}
        texts={{ pages: "Pages", newest: "First", older: "Next" }}
      />
      {invitations.length > 0 ? (
        <Section title="Pending invitations">
          <InvitationTable invitations={invitations} now={now} reader={reader} email={email} />
        </Section>
      ) : null}
    </>
  );
};

export default OperatorsPage;
