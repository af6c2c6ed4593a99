import type { Metadata } from "next";
import {
  DeliveryFilter,
  type DeliveryQuery,
  deliveriesAddress,
  isDeliveryState,
} from "#components/merchant/webhooks/delivery-filter.tsx";
import { DeliveryTable } from "#components/merchant/webhooks/delivery-table.tsx";
import { EndpointList } from "#components/merchant/webhooks/endpoint-list.tsx";
import { type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Webhooks" };

/** Ids and event types have this form. Anything else is ignored. */
const searchName = (params: SearchParams, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && /^[\w.]{1,64}$/.test(value) ? value : undefined;
};

const readQuery = (params: SearchParams): DeliveryQuery => {
  const outcome = searchName(params, "outcome");
  return {
    q: searchText(params, "q", 64),
    endpoint: searchName(params, "endpoint"),
    event: searchName(params, "event"),
    outcome: isDeliveryState(outcome) ? outcome : undefined,
    after: searchName(params, "after"),
  };
};

const WebhooksPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const query = readQuery(await searchParams);
  const { after, ...filter } = query;
  const { api, merchantId, reader, now, may } = await merchantPage("/merchant/webhooks");
  const [endpoints, { deliveries, hasMore }] = await Promise.all([
    api.webhooks.endpoints({ merchantId }),
    api.webhooks.deliveries({
      merchantId,
      endpointId: query.endpoint,
      objectId: query.q,
      eventType: query.event,
      state: query.outcome,
      startingAfter: after,
    }),
  ]);
  const last = deliveries.at(-1);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const add = may("webhook.create") ? (
    <ButtonLink href="/merchant/webhooks/new" variant="primary" size="small">
      Add endpoint
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Webhooks" act={endpoints.length > 0 ? add : null}>
        We send events about your payments and mandates to your servers.{" "}
        <Link href="/merchant/webhooks/events">All events with their payloads</Link>
      </PageHead>
      {endpoints.length > 0 ? (
        <Section title="Endpoints">
          <EndpointList endpoints={endpoints} now={now} reader={reader} />
        </Section>
      ) : (
        <EmptyState title="No endpoints yet" act={add}>
          Add the URL of your server. We send signed events to it by POST.
        </EmptyState>
      )}
      {endpoints.length > 0 ? (
        <Section title="Deliveries">
          <DeliveryFilter query={query} endpoints={endpoints} eventTypes={merchantEventTypes} />
          {deliveries.length > 0 ? (
            <DeliveryTable deliveries={deliveries} endpoints={endpoints} now={now} reader={reader} />
          ) : (
            <EmptyState title={isFiltered ? "No results" : "No deliveries yet"}>
              {isFiltered
                ? "No delivery matches these filters. Clear the filters to see all deliveries."
                : "Deliveries are listed here for 30 days, with every attempt and its response."}
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
