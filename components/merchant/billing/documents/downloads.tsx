import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import styles from "../../../portal/portal.module.css";
import { DownloadLink } from "../../../ui/button.tsx";

type Props = { merchantId: string; invoice: Pick<MerchantInvoice, "id" | "number" | "ublProblem"> };

/** The files of an invoice. A draft has only the events behind its lines. */
export const InvoiceDownloads = ({ merchantId, invoice: { id, number, ublProblem } }: Props) => {
  const address = (format: "pdf" | "csv" | "ubl") =>
    `/merchant/billing/invoices/${id}/documents/${format}?merchant=${merchantId}`;
  const isIssued = number !== null;
  return (
    <div className={styles.acts}>
      {isIssued ? <DownloadLink href={address("pdf")}>PDF</DownloadLink> : null}
      <DownloadLink href={address("csv")}>CSV of events</DownloadLink>
      {isIssued && ublProblem === null ? <DownloadLink href={address("ubl")}>UBL</DownloadLink> : null}
    </div>
  );
};
