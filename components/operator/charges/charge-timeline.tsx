import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import { processorInSentence } from "../../format/labels/processor-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { TimelineItem } from "../../portal/timeline.tsx";
import { Link } from "../../ui/link.tsx";
import { operatorAuditAddress } from "../audit/audit-address.ts";
import { AuditTimeline } from "../audit-timeline.tsx";
import { operatorChargeActionLabel } from "../labels/operator-charge-labels.ts";

type Props = { charge: OperatorChargeDetail; now: Date; reader: Reader };

/**
 * The history of a charge, its refunds and disputes, newest first. If it is too long, only the newest entries are
 * shown, with a link to the audit log.
 */
export const ChargeTimeline = ({ charge, now, reader }: Props) => (
  <>
    <AuditTimeline
      entries={charge.timeline}
      actionName={operatorChargeActionLabel}
      amountText={(minor) => formatAmount(minor, charge.currency, reader)}
      now={now}
      reader={reader}
    >
      {charge.isTimelineCut ? null : <ChargeStart charge={charge} now={now} reader={reader} />}
    </AuditTimeline>
    {charge.isTimelineCut ? (
      <p className="small muted">
        The newest 200 entries are shown. The <Link href={operatorAuditAddress(charge, reader)}>audit log</Link> has all
        entries.
      </p>
    ) : null}
  </>
);

const ChargeStart = ({ charge, now, reader }: Props) => (
  <>
    {charge.sent ? (
      <TimelineItem at={charge.sent.at} now={now} reader={reader}>
        <span>Sent to {processorInSentence(charge.processor)}</span>
      </TimelineItem>
    ) : null}
    <TimelineItem at={charge.createdAt} now={now} reader={reader}>
      <span>Created by the merchant</span>
    </TimelineItem>
  </>
);
