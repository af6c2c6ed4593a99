import type { WebhookDeliveryDetail } from "#server/trpc/merchant/webhook-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { describeAttemptOutcome } from "../../format/labels/webhook-labels.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./webhooks.module.css";

/**
 * What each try sends. Time and signatures are made anew at each: the time stands with the try, signatures aren't kept.
 * The body is what goes out, byte for byte, since a signature is worked out over it.
 */
export const DeliveryRequest = ({ delivery }: { delivery: WebhookDeliveryDetail }) => (
  <pre className={styles.wire}>
    {[
      `POST ${delivery.endpointUrl}`,
      "content-type: application/json",
      "user-agent: Paygrant-Webhooks",
      `webhook-id: ${delivery.eventId}`,
      "webhook-timestamp: (of each try, below)",
      "webhook-signature: (not shown)",
      "",
      delivery.body ?? "(the event isn’t kept any more)",
    ].join("\n")}
  </pre>
);

export const DeliveryTries = ({
  tries,
  now,
  reader,
}: {
  tries: WebhookDeliveryDetail["tries"];
  now: Date;
  reader: Reader;
}) => (
  <ol className="card">
    {tries.toReversed().map((one) => (
      <li key={one.number} className={styles.try}>
        <div className={styles.tryHead}>
          <h3>
            Try {one.number}: {describeAttemptOutcome(one)}
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
