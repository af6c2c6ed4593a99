import type { WebhookDeliveryDetail } from "#server/trpc/merchant/webhook-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { describeAttemptOutcome } from "../../format/labels/webhook-labels.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./webhooks.module.css";

/**
 * The request that each attempt sends. Each attempt has its own timestamp, which is shown with the attempt. Its
 * signatures aren't stored. The body is shown byte for byte, because the signature covers it.
 */
export const DeliveryRequest = ({ delivery }: { delivery: WebhookDeliveryDetail }) => (
  <pre className={styles.wire}>
    {[
      `POST ${delivery.endpointUrl}`,
      "content-type: application/json",
      "user-agent: Paygrant-Webhooks",
      `webhook-id: ${delivery.eventId}`,
      "webhook-timestamp: (different for each attempt, see below)",
      "webhook-signature: (not shown)",
      "",
      delivery.body ?? "(the event is no longer stored)",
    ].join("\n")}
  </pre>
);

export const DeliveryAttempts = ({
  attempts,
  now,
  reader,
}: {
  attempts: WebhookDeliveryDetail["tries"];
  now: Date;
  reader: Reader;
}) => (
  <ol className="card">
    {attempts.toReversed().map((one) => (
      <li key={one.number} className={styles.attempt}>
        <div className={styles.attemptHead}>
          <h3>
            Attempt {one.number}: {describeAttemptOutcome(one)}
          </h3>
          <span className="tiny num">
            {formatRelativeDateTime(new Date(one.startedAt), now, reader)}
            {one.milliseconds === null ? "" : `, ${one.milliseconds} ms`}
          </span>
        </div>
        <p className="tiny">to {one.url}</p>
        <p className="tiny num">webhook-timestamp: {one.webhookTimestamp}</p>
        {one.status === null ? null : <pre className={styles.wire}>{one.bodyStart ? one.bodyStart : "(no body)"}</pre>}
      </li>
    ))}
  </ol>
);
