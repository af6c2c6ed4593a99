import type { OperatorChargeDetail } from "#server/trpc/operator/operator-views.ts";
import { operatorChargeActionLabel } from "../../format/labels/operator-charge-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { AuditTimeline } from "../audit-timeline.tsx";

/** The history of a charge, newest first, back to its creation. */
export const ChargeTimeline = ({
  charge,
  now,
  reader,
}: {
  charge: OperatorChargeDetail;
  now: Date;
  reader: Reader;
}) => {
  const when = (at: string) => (
    <div className="tiny num">
      <Time at={at} now={now} reader={reader} />
    </div>
  );
  return (
    <AuditTimeline entries={charge.timeline} actionName={operatorChargeActionLabel} now={now} reader={reader}>
      {charge.sent ? (
        <li>
          <span>Sent to {charge.processor}</span>
          {when(charge.sent.at)}
        </li>
      ) : null}
      <li>
        <span>Created by the merchant</span>
        {when(charge.createdAt)}
      </li>
    </AuditTimeline>
  );
};
