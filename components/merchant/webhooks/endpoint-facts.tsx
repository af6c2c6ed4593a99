import type { toEndpointDetail, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import { formatDateTime, formatRelativeDateTime, formatRelativeInSentence } from "../../format/dates.ts";
import { endpointStateLabel } from "../../format/labels/webhook-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pill } from "../../ui/pill.tsx";

type Context = { now: Date; reader: Reader };

/** Why the service switched the endpoint off, and what to do. */
export const SwitchedOffNotice = ({ endpoint, now, reader }: { endpoint: WebhookEndpoint } & Context) => (
  <Notice tone="bad">
    Off since {formatRelativeInSentence(new Date(endpoint.disabledAt ?? endpoint.createdAt), now, reader)}:{" "}
    {endpoint.disabledReason === "gone"
      ? "the receiver responded to an event with status 410 (Gone)."
      : "no delivery succeeded for three days."}{" "}
    Fix the receiver, switch the endpoint on, then resend the missed events.
  </Notice>
);

export const EndpointFacts = ({ endpoint, now, reader }: { endpoint: WebhookEndpoint } & Context) => {
  const { tone, label } = endpointStateLabel(endpoint);
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name="URL">{endpoint.url}</Fact>
      <Fact name="Events">{endpoint.eventTypes.length > 0 ? endpoint.eventTypes.join(", ") : "All events"}</Fact>
      <Fact name="Last successful delivery">
        {endpoint.succeededAt ? formatRelativeDateTime(new Date(endpoint.succeededAt), now, reader) : "None yet"}
      </Fact>
      <Fact name="Added">{formatDateTime(new Date(endpoint.createdAt), reader)}</Fact>
      <Fact name="Endpoint ID">{endpoint.id}</Fact>
    </Facts>
  );
};

type EndpointKeys = ReturnType<typeof toEndpointDetail>["keys"];

/** The public key of the current secret. For a day after a rotation, also the public key of the previous secret. */
export const EndpointKeyFacts = ({ keys, reader }: { keys: EndpointKeys; reader: Reader }) => (
  <Facts>
    {keys.map(({ publicKey, createdAt, expiresAt }) => (
      <Fact
        key={publicKey}
        name={
          expiresAt
            ? `Previous secret, used until ${formatDateTime(new Date(expiresAt), reader)}`
            : `Current secret, since ${formatDateTime(new Date(createdAt), reader)}`
        }
      >
        <span className="muted">Public key (v1a) </span>
        <code>{publicKey}</code>
      </Fact>
    ))}
  </Facts>
);
