import type { Metadata } from "next";
import { cache } from "react";
import { changeLabel } from "#components/directory/directory-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { operatorAuditAddress } from "#components/operator/audit/audit-address.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { EntryFacts } from "#components/operator/directory/entry-facts.tsx";
import { SuspendEntry } from "#components/operator/directory/suspend-entry.tsx";
import { WithdrawServer } from "#components/operator/directory/withdraw-server.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ participantId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (id: string) => {
  const page = await operatorPage(`/operator/directory/${encodeURIComponent(id)}`, "directory_entry.read");
  return { ...page, entry: await orNotFound(page.api.operatorDirectory.get({ participantId: id.slice(0, 64) })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { entry } = await load((await params).participantId);
  return { title: pageTitle(`Directory entry ${entry.displayName}`) };
};

const actionName = (action: string): string => changeLabel(action.replace(/^participant\./, ""));

/** Shows only the actions that the server accepts and that the operator's role allows. */
const EntryActs = ({ page: { entry, email, may } }: { page: Awaited<ReturnType<typeof load>> }) => {
  const { acts, id, displayName: name } = entry;
  const mayWithdraw = acts.withdraw && may("directory_entry.withdraw_server");
  const mayListAgain = acts.listAgain && may("directory_entry.list_server");
  const maySetSuspension =
    (acts.resume && may("directory_entry.resume")) || (acts.suspend && may("directory_entry.suspend"));
  return (
    <>
      {mayWithdraw ? <WithdrawServer participantId={id} name={name} email={email} /> : null}
      {mayListAgain ? (
        <ButtonLink href={`/operator/directory/new?entry=${id}`} size="small" variant="primary">
          List again
        </ButtonLink>
      ) : null}
      {maySetSuspension ? (
        <SuspendEntry
          participantId={id}
          name={name}
          isSuspended={acts.resume}
          isServer={entry.issuer !== null}
          email={email}
        />
      ) : null}
    </>
  );
};

const OperatorEntryPage = async ({ params }: Props) => {
  const page = await load((await params).participantId);
  const { reader, now, entry } = page;
  return (
    <>
      <PageHead title={entry.displayName} act={<EntryActs page={page} />}>
        Directory entry
      </PageHead>
      <EntryFacts entry={entry} reader={reader} />
      <Section title="History" act={<Link href={operatorAuditAddress(entry, reader)}>Audit log</Link>}>
        {entry.history.length > 0 ? (
          <AuditTimeline entries={entry.history} actionName={actionName} now={now} reader={reader} />
        ) : (
          <EmptyState title="No changes">The audit log has no changes to this entry.</EmptyState>
        )}
      </Section>
      <div>
        <ButtonLink href="/operator/directory" size="small">
          All entries
        </ButtonLink>
      </div>
    </>
  );
};

export default OperatorEntryPage;
