import Link from "next/link";
import type { WebhookEndpoint } from "#server/trpc/webhook-views.ts";
import { moment, type Reader } from "../mandates/words.ts";
import { Pill } from "../ui/pill.tsx";
import { Item, ItemList } from "../wallet/item-list.tsx";
import { endpointWords, eventsWords } from "./words.ts";

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
      const { tone, label } = endpointWords(endpoint);
      const last = endpoint.succeededAt
        ? `last delivered ${lower(moment(new Date(endpoint.succeededAt), now, reader))}`
        : "nothing delivered yet";
      return (
        <Item
          key={endpoint.id}
          icon="globe"
          title={<Link href={`/merchant/webhooks/${endpoint.id}`}>{endpoint.url}</Link>}
          note={`${sentence(eventsWords(endpoint))}; ${last}`}
          act={<Pill tone={tone}>{label}</Pill>}
        />
      );
    })}
  </ItemList>
);

const lower = (text: string): string => text.replace(/^[TY]/, (letter) => letter.toLowerCase());
const sentence = (text: string): string => text.replace(/^every/, "Every");
