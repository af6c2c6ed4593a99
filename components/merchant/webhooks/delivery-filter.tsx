import type { WebhookDelivery, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import { deliveryStates } from "../../format/labels/webhook-labels.ts";
import { FilterForm, SearchField } from "../../portal/lists/filter-form.tsx";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Select } from "../../ui/field/field.tsx";

type State = WebhookDelivery["state"];
export const isDeliveryState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(deliveryStates, text);

export type DeliveryQuery = {
  q?: string | undefined;
  endpoint?: string | undefined;
  event?: string | undefined;
  outcome?: State | undefined;
  after?: string | undefined;
};

export const deliveriesAddress = (query: DeliveryQuery): string => listAddress("/merchant/webhooks", query);

export const DeliveryFilter = ({
  query,
  endpoints,
  eventTypes,
}: {
  query: DeliveryQuery;
  endpoints: readonly WebhookEndpoint[];
  eventTypes: readonly string[];
}) => (
  <FilterForm action="/merchant/webhooks" filters={query}>
    <SearchField label="Payment, mandate or other object ID" value={query.q} maxLength={64} />
    <Select label="Endpoint" name="endpoint" defaultValue={query.endpoint ?? ""}>
      <option value="">All endpoints</option>
      {endpoints.map(({ id, url }) => (
        <option key={id} value={id}>
          {url}
        </option>
      ))}
    </Select>
    <Select label="Event" name="event" defaultValue={query.event ?? ""}>
      <option value="">All events</option>
      {eventTypes.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </Select>
    <Select label="Outcome" name="outcome" defaultValue={query.outcome ?? ""}>
      <option value="">All outcomes</option>
      {Object.entries(deliveryStates).map(([state, { label }]) => (
        <option key={state} value={state}>
          {label}
        </option>
      ))}
    </Select>
  </FilterForm>
);
