import type { OperatorChargeDetail } from "#server/trpc/operator/operator-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { operatorChargeActionLabel } from "../../format/labels/operator-charge-labels.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "../../portal/timeline.module.css";
import { PastActs } from "../past-acts.tsx";

/** What happened to a charge and who did it, newest first, down to when it was made. */
export const ChargeTimeline = ({
  charge,
  now,
  reader,
}: {
  charge: OperatorChargeDetail;
  now: Date;
  reader: Reader;
}) => {
  const when = (at: string) => <time dateTime={at}>{formatRelativeDateTime(new Date(at), now, reader)}</time>;
  return (
    <ol className={styles.timeline}>
      <PastActs acts={charge.timeline} nameOf={operatorChargeActionLabel} now={now} reader={reader} />
      {charge.sent ? (
        <li>
          <span>Sent to {charge.processor}</span>
          <div className="tiny num">{when(charge.sent.at)}</div>
        </li>
      ) : null}
      <li>
        <span>Made by the merchant</span>
        <div className="tiny num">{when(charge.createdAt)}</div>
      </li>
    </ol>
  );
};
