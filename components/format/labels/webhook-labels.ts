import type { WebhookDelivery, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import type { Tone } from "../../ui/pill.tsx";

type StateLabel = { tone: Tone; label: string };

/** Whether the service switched the endpoint off. Pages show this as a problem. */
export const wasDisabledByService = ({ disabledReason }: Pick<WebhookEndpoint, "disabledReason">): boolean =>
  disabledReason !== null && disabledReason !== "owner";

export const endpointStateLabel = ({ disabledReason }: Pick<WebhookEndpoint, "disabledReason">): StateLabel => {
  if (disabledReason === null) return { tone: "good", label: "On" };
  if (disabledReason === "owner") return { tone: "neutral", label: "Off" };
  return { tone: "bad", label: disabledReason === "gone" ? "Off: 410 Gone" : "Off: deliveries failed" };
};

export const describeEventTypes = ({ eventTypes }: Pick<WebhookEndpoint, "eventTypes">): string => {
  if (eventTypes.length === 0) return "all events";
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : `${eventTypes.length} event types`;
};

/** These states are also the filters of the list. */
export const deliveryStates: Readonly<Record<WebhookDelivery["state"], StateLabel>> = {
  delivered: { tone: "good", label: "Delivered" },
  pending: { tone: "note", label: "Pending" },
  failed: { tone: "bad", label: "Failed" },
  stopped: { tone: "neutral", label: "Stopped" },
};

/** The label of a pending delivery is Retrying if an attempt has failed. */
export const deliveryStateLabel = (state: WebhookDelivery["state"], hasFailedAttempt: boolean): StateLabel =>
  state === "pending" && hasFailedAttempt ? { tone: "warn", label: "Retrying" } : deliveryStates[state];

const problems: Readonly<Record<string, string>> = {
  bad_address: "Invalid address",
  unreachable: "Unreachable",
  timed_out: "Timed out",
  too_large: "The response was too large",
  bad_answer: "Invalid response",
};

/** The outcome of an attempt. */
export const describeAttemptOutcome = ({
  status,
  problem,
}: {
  status: number | null;
  problem: string | null;
}): string => {
  if (status !== null) return `Status ${status}`;
  if (problem === null) return "In progress or interrupted";
  return problems[problem] ?? "Failed";
};
