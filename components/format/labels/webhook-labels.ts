import type { WebhookDelivery, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type StateLabel = { tone: Tone; label: string };

/** Not by its owner: that is told as trouble. */
export const wasDisabledByService = ({ disabledReason }: Pick<WebhookEndpoint, "disabledReason">): boolean =>
  disabledReason !== null && disabledReason !== "owner";

export const endpointStateLabel = ({ disabledReason }: Pick<WebhookEndpoint, "disabledReason">): StateLabel => {
  if (disabledReason === null) return { tone: "good", label: "On" };
  if (disabledReason === "owner") return { tone: "neutral", label: "Off" };
  return { tone: "bad", label: disabledReason === "gone" ? "Off: gone" : "Off: it failed" };
};

export const describeEventTypes = ({ eventTypes }: Pick<WebhookEndpoint, "eventTypes">): string => {
  if (eventTypes.length === 0) return "every kind of event";
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : `${eventTypes.length} kinds of events`;
};

/** How a delivery stands, as filters name it too. */
export const deliveryStates: Readonly<Record<WebhookDelivery["state"], StateLabel>> = {
  delivered: { tone: "good", label: "Delivered" },
  pending: { tone: "note", label: "Under way" },
  failed: { tone: "bad", label: "Failed" },
  stopped: { tone: "neutral", label: "Not sent" },
};

/** Before its first try a delivery is on its way; after one that failed it is tried again. */
export const deliveryStateLabel = ({ state, attempts }: Pick<WebhookDelivery, "state" | "attempts">): StateLabel =>
  state === "pending" && attempts > 1 ? { tone: "warn", label: "Tried again" } : deliveryStates[state];

const problems: Readonly<Record<string, string>> = {
  bad_address: "The address can’t be used",
  unreachable: "Not reachable",
  timed_out: "No answer in time",
  too_large: "The answer was too large",
  bad_answer: "The answer made no sense",
};

/** What came of a try, in a few words. */
export const describeAttemptOutcome = ({
  status,
  problem,
}: {
  status: number | null;
  problem: string | null;
}): string => {
  if (status !== null) return `Status ${status}`;
  if (problem === null) return "No outcome";
  return problems[problem] ?? "It failed";
};
