import type { ExploredUsage } from "../../../../billing/meters/explorer/explore-usage.ts";
import type { UsageEvent } from "../../../../billing/meters/list-usage-events.ts";

/** Quantities are texts, because a merchant's own meter can exceed the range of JSON numbers. */
export const toExploredUsage = ({ period, windows, ownMeters }: ExploredUsage) => ({
  from: period.from.toISOString(),
  to: period.to.toISOString(),
  ownMeters,
  windows: windows.map(({ from, to, quantity, amounts }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    quantity: String(quantity),
    amounts: amounts.map(({ currency, amountMinor }) => ({ currency, amountMinor: Number(amountMinor) })),
  })),
});

type EventView = {
  id: string;
  time: string;
  quantity: string;
  amount: { currency: string; amountMinor: number } | null;
  /** the object that the event counts, and its page */
  source: { label: string; href: string | null };
  note: string | null;
};

/** The page of the object that an event counts. */
const sourceOf = (event: UsageEvent): EventView["source"] => {
  switch (event.kind) {
    case "charge":
      return { label: event.id, href: `/merchant/payments/${event.id}` };
    case "verification": {
      const { log, clientId } = event.of;
      if (log) return { label: log.requestId, href: `/merchant/logs/${log.requestId}` };
      return { label: clientId, href: `/merchant/apps/${clientId}` };
    }
    case "call":
      return callSource(event.meter, event.of);
    case "own":
      return { label: `${event.of.source}: ${event.of.eventId}`, href: null };
  }
};

type CallOf = Extract<UsageEvent, { kind: "call" }>["of"];

const callSource = (meter: string, { clientId, subject }: CallOf): EventView["source"] => {
  if (meter === "step_ups" && subject !== null) return { label: subject, href: `/merchant/payments/${subject}` };
  if (meter === "webhooks_delivered" && subject !== null) {
    return { label: subject, href: `/merchant/webhooks/deliveries/${subject}` };
  }
  return clientId === null ? { label: "None", href: null } : { label: clientId, href: `/merchant/apps/${clientId}` };
};

const noteOf = (event: UsageEvent): string | null => {
  if (event.kind === "charge" || event.kind === "verification") return event.of.mandateId;
  return event.kind === "own" ? event.of.subject : null;
};

export const toMeteredEvent = (event: UsageEvent): EventView => ({
  id: event.id,
  time: event.time.toISOString(),
  quantity: event.kind === "own" ? String(event.of.quantity) : "1",
  amount: event.kind === "charge" ? { currency: event.of.currency, amountMinor: event.of.amount } : null,
  source: sourceOf(event),
  note: noteOf(event),
});

export type MerchantExploredUsage = ReturnType<typeof toExploredUsage>;
export type MerchantMeteredEvent = ReturnType<typeof toMeteredEvent>;
