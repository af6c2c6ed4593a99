import type { WebhookDelivery, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import { deliveryStates } from "../../format/labels/webhook-labels.ts";
import { FilterForm } from "../../portal/lists/filter-form.tsx";
import { Select } from "../../ui/field.tsx";

type State = WebhookDelivery["state"];
export const isDeliveryState = (text: string | undefined): text is State =>
  text !== undefined && Object.hasOwn(deliveryStates, text);

export type DeliveryQuery = { endpoint?: string; event?: string; outcome?: State; after?: string };

export const deliveriesAddress = (query: DeliveryQuery): string => {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  return parameters.size > 0 ? `/merchant/webhooks?${parameters}` : "/merchant/webhooks";
};

export const DeliveryFilter = ({
  query,
  endpoints,
  eventTypes,
}: {
  query: DeliveryQuery;
  endpoints: readonly WebhookEndpoint[];
  eventTypes: readonly string[];
}) => (
  <FilterForm action="/merchant/webhooks" isFiltered={Boolean(query.endpoint || query.event || query.outcome)}>
    <Select label="Endpoint" name="endpoint" defaultValue={query.endpoint ?? ""}>
      <option value="">All endpoints</option>
      {endpoints.map(({ id, url }) => (
        <option key={id} value={id}>
          {url}
        </option>
      ))}
    </Select>
    <Select label="Event" name="event" defaultValue={query.event ?? ""}>
      <option value="">Every kind</option>
      {eventTypes.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </Select>
    <Select label="Outcome" name="outcome" defaultValue={query.outcome ?? ""}>
      <option value="">Any</option>
      {Object.entries(deliveryStates).map(([state, { label }]) => (
        <option key={state} value={state}>
          {label}
        </option>
      ))}
    </Select>
  </FilterForm>
);
