import type { Metadata } from "next";
import Link from "next/link";
import { formatDateTime, formatRelativeDateTime } from "#components/format/dates.ts";
import { endpointStateLabel, wasDisabledByService } from "#components/format/labels/webhook-labels.ts";
import { deliveriesAddress } from "#components/merchant/webhooks/delivery-filter.tsx";
import { DeliveryTable } from "#components/merchant/webhooks/delivery-table.tsx";
import { EndpointActs } from "#components/merchant/webhooks/endpoint-acts.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Webhook endpoint" };

const EndpointPage = async ({ params }: { params: Promise<{ endpointId: string }> }) => {
  const { endpointId } = await params;
  const { api, merchantId, reader, email, now, may } = await merchantPage(
    `/merchant/webhooks/${encodeURIComponent(endpointId)}`,
  );
  const endpoint = await orNotFound(api.webhooks.endpoint({ endpointId }));
  const { deliveries, hasMore } = await api.webhooks.deliveries({ merchantId, endpointId, limit: 10 });
  const { tone, label } = endpointStateLabel(endpoint);
  const when = (text: string) => formatRelativeDateTime(new Date(text), now, reader);
  return (
    <>
      <PageHead
        title="Webhook endpoint"
        act={
          may("webhook.update") ? (
            <EndpointActs
              endpointId={endpoint.id}
              url={endpoint.url}
              isOn={endpoint.disabledAt === null}
              email={email}
            />
          ) : null
        }
      >
        {endpoint.url}
      </PageHead>
      {wasDisabledByService(endpoint) ? (
        <Notice tone="bad">
          Switched off {when(endpoint.disabledAt ?? endpoint.createdAt)}:{" "}
          {endpoint.disabledReason === "gone"
            ? "it answered an event with status 410, Gone."
            : "for three days no try to deliver an event succeeded."}{" "}
          Mend the receiver, switch the endpoint on, then send again what it missed.
        </Notice>
      ) : null}
      <Facts>
        <Fact name="State">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        <Fact name="Address">{endpoint.url}</Fact>
        <Fact name="Events">{endpoint.eventTypes.length > 0 ? endpoint.eventTypes.join(", ") : "every kind"}</Fact>
        <Fact name="Last delivered">{endpoint.succeededAt ? when(endpoint.succeededAt) : "nothing yet"}</Fact>
        <Fact name="Added">{formatDateTime(new Date(endpoint.createdAt), reader)}</Fact>
        <Fact name="Endpoint">{endpoint.id}</Fact>
      </Facts>
      <Section title="Secrets">
        <Facts>
          {endpoint.keys.map(({ publicKey, createdAt, expiresAt }) => (
            <Fact
              key={publicKey}
              name={
                expiresAt
                  ? `Former, signs until ${formatDateTime(new Date(expiresAt), reader)}`
                  : `Present, since ${formatDateTime(new Date(createdAt), reader)}`
              }
            >
              <span className="muted">Public key (v1a) </span>
              <code>{publicKey}</code>
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section
        title="Deliveries"
        act={hasMore ? <Link href={deliveriesAddress({ endpoint: endpoint.id })}>All deliveries</Link> : null}
      >
        {deliveries.length > 0 ? (
          <DeliveryTable deliveries={deliveries} endpoints={[endpoint]} now={now} reader={reader} />
        ) : (
          <EmptyState title="Nothing sent yet">Each event that is sent there is listed here for 30 days.</EmptyState>
        )}
      </Section>
    </>
  );
};

export default EndpointPage;
