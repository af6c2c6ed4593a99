import type { Metadata } from "next";
import Link from "next/link";
import { cache } from "react";
import { isLiveMandate, mandateName } from "#components/format/labels/mandate-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ChargeTable } from "#components/wallet/charge-table.tsx";
import { MandateFacts } from "#components/wallet/mandates/mandate-facts.tsx";
import { MandateHead } from "#components/wallet/mandates/mandate-head.tsx";
import { MandateLimits } from "#components/wallet/mandates/mandate-limits.tsx";
import { MandateTimeline } from "#components/wallet/mandates/mandate-timeline.tsx";
import { orNotFound, portalPage } from "../../../portal-context.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ from?: string }> };

/** Cached per request, for the title and the page. */
const loadMandate = cache(async (id: string) => {
  const page = await portalPage(`/wallet/mandates/${encodeURIComponent(id)}`);
  const [mandate, charges] = await orNotFound(
    Promise.all([page.api.wallet.mandate({ mandateId: id }), page.api.wallet.activity({ mandateId: id, limit: 10 })]),
  );
  return { ...page, mandate, ...charges };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { mandate } = await loadMandate((await params).id);
  return { title: pageTitle(mandateName(mandate)) };
};

const MandatePage = async ({ params, searchParams }: Props) => {
  const [{ id }, { from }] = await Promise.all([params, searchParams]);
  const { reader, businessNow: now, mandate, charges, hasMore } = await loadMandate(id);
  return (
    <>
      {from === "demo" ? (
        <Notice tone="note">
          {isLiveMandate(mandate) ? "You came from the demo. Stop the mandate, then " : "The mandate is stopped. Now "}
          <Link href="/demo">go back and let the shop try again</Link>.
        </Notice>
      ) : null}
      <MandateHead mandate={mandate} reader={reader} />
      <Section title="Limits">
        <MandateLimits mandate={mandate} reader={reader} />
      </Section>
      <Section title="Terms">
        <MandateFacts mandate={mandate} reader={reader} />
      </Section>
      <Section
        title="Charges"
        act={hasMore ? <Link href={`/wallet/activity?mandate=${encodeURIComponent(id)}`}>All charges</Link> : null}
      >
        {charges.length > 0 ? (
          <ChargeTable
            caption="Charges under this mandate"
            charges={charges}
            now={now}
            reader={reader}
            hasMandate={false}
          />
        ) : (
          <EmptyState title="No charges yet">Charges under this mandate appear here.</EmptyState>
        )}
      </Section>
      <Section title="Timeline">
        <MandateTimeline entries={mandate.timeline} clientName={mandate.client.name} now={now} reader={reader} />
      </Section>
      <div>
        <ButtonLink href="/wallet/mandates" size="small">
          All mandates
        </ButtonLink>
      </div>
    </>
  );
};

export default MandatePage;
