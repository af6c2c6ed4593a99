import type { Metadata } from "next";
import { cache } from "react";
import { wasDisabledByService } from "#components/format/labels/webhook-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { deliveriesAddress } from "#components/merchant/webhooks/delivery-filter.tsx";
import { DeliveryTable } from "#components/merchant/webhooks/delivery-table.tsx";
import { EndpointActs } from "#components/merchant/webhooks/endpoint-acts.tsx";
import { EndpointFacts, EndpointKeyFacts, SwitchedOffNotice } from "#components/merchant/webhooks/endpoint-facts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

type Props = { params: Promise<{ endpointId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (endpointId: string) => {
  const page = await merchantPage(`/merchant/webhooks/${encodeURIComponent(endpointId)}`);
  return { ...page, endpoint: await orNotFound(page.api.webhooks.endpoint({ endpointId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { endpoint } = await load((await params).endpointId);
  return { title: pageTitle(`Endpoint ${endpoint.url}`) };
};

const EndpointPage = async ({ params }: Props) => {
  const { endpointId } = await params;
  const { api, merchantId, reader, email, now, may, endpoint } = await load(endpointId);
  const { deliveries, hasMore } = await api.webhooks.deliveries({ merchantId, endpointId, limit: 10 });
  const actions = may("webhook.update") ? (
    <EndpointActs
      endpointId={endpoint.id}
      url={endpoint.url}
      isOn={endpoint.disabledAt === null}
      email={email}
      eventTypes={merchantEventTypes}
    />
  ) : null;
  return (
    <>
      <PageHead title="Webhook endpoint" act={actions}>
        {endpoint.url}
      </PageHead>
      {wasDisabledByService(endpoint) ? <SwitchedOffNotice endpoint={endpoint} now={now} reader={reader} /> : null}
      <EndpointFacts endpoint={endpoint} now={now} reader={reader} />
      <Section title="Secrets">
        <EndpointKeyFacts keys={endpoint.keys} reader={reader} />
      </Section>
      <Section
        title="Deliveries"
        act={hasMore ? <Link href={deliveriesAddress({ endpoint: endpoint.id })}>All deliveries</Link> : null}
      >
        {deliveries.length > 0 ? (
          <DeliveryTable deliveries={deliveries} endpoints={[endpoint]} now={now} reader={reader} />
        ) : (
          <EmptyState title="No deliveries yet">Deliveries are listed here for 30 days.</EmptyState>
        )}
      </Section>
    </>
  );
};

export default EndpointPage;
