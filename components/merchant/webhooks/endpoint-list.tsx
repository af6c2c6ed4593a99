import type { WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import { formatRelativeInSentence } from "../../format/dates.ts";
import { describeEventTypes, endpointStateLabel } from "../../format/labels/webhook-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { capitalize } from "../../format/text.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";

export const EndpointList = ({
  endpoints,
  now,
  reader,
}: {
  endpoints: readonly WebhookEndpoint[];
  now: Date;
  reader: Reader;
}) => (
  <ItemList>
    {endpoints.map((endpoint) => {
      const { tone, label } = endpointStateLabel(endpoint);
      const last = endpoint.succeededAt
        ? `last successful delivery: ${formatRelativeInSentence(new Date(endpoint.succeededAt), now, reader)}`
        : "nothing delivered yet";
      return (
        <Item
          key={endpoint.id}
          icon="globe"
          title={<Link href={`/merchant/webhooks/${endpoint.id}`}>{endpoint.url}</Link>}
          note={`${sentence(describeEventTypes(endpoint))}; ${last}`}
          act={<Pill tone={tone}>{label}</Pill>}
        />
      );
    })}
  </ItemList>
);

const sentence = (text: string): string => text.replace(/^(every|all)\b/, capitalize);
