import type { Metadata } from "next";
import {
  DeliveryFilter,
  type DeliveryQuery,
  deliveriesAddress,
  isDeliveryState,
} from "#components/merchant/webhooks/delivery-filter.tsx";
import { DeliveryTable } from "#components/merchant/webhooks/delivery-table.tsx";
import { EndpointList } from "#components/merchant/webhooks/endpoint-list.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Webhooks" };

type Params = Readonly<Record<string, string | string[] | undefined>>;

const readQuery = (params: Params): DeliveryQuery => {
  const text = (name: string) => {
    const value = params[name];
    // Ids and kinds of events look like this; anything else filters nothing.
    return typeof value === "string" && /^[\w.]{1,64}$/.test(value) ? value : undefined;
  };
  const [endpoint, event, outcome, after] = [text("endpoint"), text("event"), text("outcome"), text("after")];
  return {
    ...(endpoint && { endpoint }),
    ...(event && { event }),
    ...(isDeliveryState(outcome) && { outcome }),
    ...(after && { after }),
  };
};

const WebhooksPage = async ({ searchParams }: { searchParams: Promise<Params> }) => {
  const query = readQuery(await searchParams);
  const { after, ...filter } = query;
  const { api, merchantId, reader, now, may } = await merchantPage("/merchant/webhooks");
  const [endpoints, { deliveries, hasMore }] = await Promise.all([
    api.webhooks.endpoints({ merchantId }),
    api.webhooks.deliveries({
      merchantId,
      endpointId: query.endpoint,
      eventType: query.event,
      state: query.outcome,
      startingAfter: after,
    }),
  ]);
  const last = deliveries.at(-1);
  const isFiltered = Object.keys(filter).length > 0;
  const add = may("webhook.create") ? (
    <ButtonLink href="/merchant/webhooks/new" variant="primary" size="small">
      Add endpoint
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Webhooks" act={endpoints.length > 0 ? add : null}>
        What happens to your charges and to mandates that name you, sent to your servers as it happens.
      </PageHead>
      {endpoints.length > 0 ? (
        <Section title="Endpoints">
          <EndpointList endpoints={endpoints} now={now} reader={reader} />
        </Section>
      ) : (
        <EmptyState title="No endpoint yet" act={add}>
          Add the address of a server of yours, and each event is sent there by POST, signed.
        </EmptyState>
      )}
      {endpoints.length > 0 ? (
        <Section title="Deliveries">
          <DeliveryFilter query={query} endpoints={endpoints} eventTypes={merchantEventTypes} />
          {deliveries.length > 0 ? (
            <DeliveryTable deliveries={deliveries} endpoints={endpoints} now={now} reader={reader} />
          ) : (
            <EmptyState title={isFiltered ? "Nothing matches" : "Nothing sent yet"}>
              {isFiltered
                ? "No delivery fits these filters. Clear them to see everything."
                : "Each event that is sent stands here for 30 days, with every try and its answer."}
            </EmptyState>
          )}
          <Pager
            newest={after ? deliveriesAddress(filter) : null}
            older={hasMore && last ? deliveriesAddress({ ...filter, after: last.id }) : null}
          />
        </Section>
      ) : null}
    </>
  );
};

export default WebhooksPage;
