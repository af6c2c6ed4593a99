import type { Metadata } from "next";
import Link from "next/link";
import { wasDisabledByService } from "#components/format/labels/webhook-labels.ts";
import { deliveriesAddress } from "#components/merchant/webhooks/delivery-filter.tsx";
import { DeliveryTable } from "#components/merchant/webhooks/delivery-table.tsx";
import { EndpointActs } from "#components/merchant/webhooks/endpoint-acts.tsx";
import { EndpointFacts, EndpointKeyFacts, SwitchedOffNotice } from "#components/merchant/webhooks/endpoint-facts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Webhook endpoint" };

const EndpointPage = async ({ params }: { params: Promise<{ endpointId: string }> }) => {
  const { endpointId } = await params;
  const { api, merchantId, reader, email, now, may } = await merchantPage(
    `/merchant/webhooks/${encodeURIComponent(endpointId)}`,
  );
  const [endpoint, { deliveries, hasMore }] = await orNotFound(
    Promise.all([
      api.webhooks.endpoint({ endpointId }),
      api.webhooks.deliveries({ merchantId, endpointId, limit: 10 }),
    ]),
  );
  const actions = may("webhook.update") ? (
    <EndpointActs endpointId={endpoint.id} url={endpoint.url} isOn={endpoint.disabledAt === null} email={email} />
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
