import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Link } from "../../ui/link.tsx";
import { operatorAuditAddress } from "../audit/audit-address.ts";
import { AuditTimeline } from "../audit-timeline.tsx";
import { invoiceActionLabel } from "../labels/invoice-action-labels.ts";

type Props = { invoice: OperatorInvoice; now: Date; reader: Reader };

/** The newest entries of the audit log about the invoice, its payments and its credit notes, newest first. */
export const InvoiceHistory = ({ invoice, now, reader }: Props) => (
  <>
    <AuditTimeline entries={invoice.timeline} actionName={invoiceActionLabel} now={now} reader={reader} />
    {invoice.isTimelineCut ? (
      <p className="small muted">
        The newest 200 entries are shown. The <Link href={operatorAuditAddress(invoice, reader)}>audit log</Link> has
        all entries.
      </p>
    ) : null}
  </>
);
