import type { OperatorChargeDetail } from "#server/trpc/operator/operator-views.ts";
import { operatorChargeActionLabel } from "../../format/labels/operator-charge-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { TimelineItem } from "../../portal/timeline.tsx";
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
}) => (
  <AuditTimeline entries={charge.timeline} actionName={operatorChargeActionLabel} now={now} reader={reader}>
    {charge.sent ? (
      <TimelineItem at={charge.sent.at} now={now} reader={reader}>
        <span>Sent to {charge.processor}</span>
      </TimelineItem>
    ) : null}
    <TimelineItem at={charge.createdAt} now={now} reader={reader}>
      <span>Created by the merchant</span>
    </TimelineItem>
  </AuditTimeline>
);
