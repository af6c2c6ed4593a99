import type { EndpointWish } from "#components/webhooks/endpoint-form.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";

export type WishParams = { url?: string | string[]; events?: string | string[] };

/** What was typed before a sign-in on the way, as the address carries it; null where nothing was. */
export const readWish = ({ url, events }: WishParams): EndpointWish | null =>
  typeof url === "string"
    ? {
        url: url.slice(0, 2_000),
        eventTypes:
          typeof events === "string" ? merchantEventTypes.filter((type) => events.split(" ").includes(type)) : [],
      }
    : null;

/** For the way back here. */
export const withWish = (path: string, wish: EndpointWish | null): string =>
  wish ? `${path}?${new URLSearchParams({ url: wish.url, events: wish.eventTypes.join(" ") })}` : path;
