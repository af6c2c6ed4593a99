import type { Metadata } from "next";
import { cache } from "react";
import type { Reader } from "#components/format/reader.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { operatorAuditAddress } from "#components/operator/audit/audit-address.ts";
import { AuditTimeline } from "#components/operator/audit-timeline.tsx";
import { OperatorChargeTable } from "#components/operator/charges/charge-table.tsx";
import { payerActionLabel } from "#components/operator/labels/payer-labels.ts";
import { PayerApps } from "#components/operator/payers/payer-apps.tsx";
import { PayerFacts } from "#components/operator/payers/payer-facts.tsx";
import { PayerMandates } from "#components/operator/payers/payer-mandates.tsx";
import { PayerSignIns } from "#components/operator/payers/payer-sign-ins.tsx";
import { SignOutPayer } from "#components/operator/payers/sign-out-payer.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import type { OperatorPayer } from "#server/trpc/operator/payers/payer-views.ts";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

type Props = { params: Promise<{ accountId: string }>; searchParams: Promise<SearchParams> };

/** Cached per request, because the title and the page both need the data. */
const loadPayer = cache(async (id: string, appsAfter: string | undefined) => {
  const page = await operatorPage(`/operator/payers/${encodeURIComponent(id)}`, "payer.read");
  return { ...page, payer: await orNotFound(page.api.operatorPayers.get({ accountId: id.slice(0, 64), appsAfter })) };
});

const load = async ({ params, searchParams }: Props) => {
  const [{ accountId }, query] = await Promise.all([params, searchParams]);
  const appsAfter = searchId(query, "apps_after");
  return { ...(await loadPayer(accountId, appsAfter)), isFirstPage: appsAfter === undefined };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { payer } = await load(props);
  return { title: pageTitle(`Payer ${payer.email}`) };
};

const OperatorPayerPage = async (props: Props) => {
  const { reader, now, businessNow, email, may, payer, isFirstPage } = await load(props);
  const name = payer.displayName || payer.id;
  const canSignOut = payer.liveSessions > 0 && may("payer.sign_out");
  return (
    <>
      <PageHead title={name} act={canSignOut ? <SignOutPayer accountId={payer.id} name={name} email={email} /> : null}>
        {payer.email}
      </PageHead>
      <PayerFacts payer={payer} reader={reader} />
      <PayerRecords payer={payer} businessNow={businessNow} reader={reader} />
      <ConnectedApps payer={payer} isFirstPage={isFirstPage} reader={reader} />
      <Section title="Sign-in history">
        {payer.signIns.length > 0 ? (
          <PayerSignIns signIns={payer.signIns} now={now} reader={reader} />
        ) : (
          <EmptyState title="No sign-ins">Sign-ins and failed attempts are listed here for 90 days.</EmptyState>
        )}
      </Section>
      <Section title="History" act={<Link href={operatorAuditAddress(payer, reader)}>Audit log</Link>}>
        {payer.history.length > 0 ? (
          <AuditTimeline entries={payer.history} actionName={payerActionLabel} now={now} reader={reader} />
        ) : (
          <EmptyState title="No entries yet">
            This person’s actions and all changes to the account are listed here.
          </EmptyState>
        )}
      </Section>
      <div>
        <ButtonLink href="/operator/payers" size="small">
          All payers
        </ButtonLink>
      </div>
    </>
  );
};

/** The mandates and charges of the account. */
const PayerRecords = ({ payer, businessNow, reader }: { payer: OperatorPayer; businessNow: Date; reader: Reader }) => (
  <>
    <Section
      title="Mandates"
      act={payer.hasMoreMandates ? <Link href={listAddress("/operator/mandates", { q: payer.id })}>All</Link> : null}
    >
      {payer.mandates.length > 0 ? (
        <PayerMandates mandates={payer.mandates} reader={reader} />
      ) : (
        <EmptyState title="No mandates">This person hasn’t approved any agent’s request.</EmptyState>
      )}
    </Section>
    <Section
      title="Charges"
      act={payer.hasMoreCharges ? <Link href={listAddress("/operator/charges", { q: payer.id })}>All</Link> : null}
    >
      {payer.charges.length > 0 ? (
        <OperatorChargeTable charges={payer.charges} now={businessNow} reader={reader} />
      ) : (
        <EmptyState title="No charges">No merchant has charged a mandate of this person.</EmptyState>
      )}
    </Section>
  </>
);

type AppsProps = { payer: OperatorPayer; isFirstPage: boolean; reader: Reader };

const ConnectedApps = ({ payer: { id, apps, hasMoreApps }, isFirstPage, reader }: AppsProps) => {
  const pageAfter = (appsAfter?: string) =>
    `${listAddress(`/operator/payers/${id}`, { apps_after: appsAfter })}#connected-apps`;
  return (
    <Section title="Connected apps" id="connected-apps">
      {apps.length > 0 ? (
        <PayerApps apps={apps} reader={reader} />
      ) : (
        <EmptyState title="No connected apps">No app can act for this person.</EmptyState>
      )}
      <Pager newest={isFirstPage ? null : pageAfter()} older={hasMoreApps ? pageAfter(apps.at(-1)?.id) : null} />
    </Section>
  );
};

export default OperatorPayerPage;
