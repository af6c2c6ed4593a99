import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletNotice } from "#server/trpc/wallet/views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Link } from "../../ui/link.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";
import { PauseMandate } from "../mandates/mandate-actions.tsx";
import styles from "./notices.module.css";

const tones: Readonly<Record<WalletNotice["status"], Tone>> = {
  announced: "note",
  charged: "good",
  canceled: "neutral",
  past: "neutral",
};

export const isExpected = ({ status, mandate }: WalletNotice): boolean => status === "announced" && mandate.isLive;

export const NoticeState = ({ notice, reader }: { notice: WalletNotice; reader: Reader }) => {
  const t = translator(reader.locale, "upcoming");
  return notice.mandate.isPausedByPayer && isExpected(notice) ? (
    <Pill tone="warn">{t("paused")}</Pill>
  ) : (
    <Pill tone={tones[notice.status]}>{t(`statuses.${notice.status}`)}</Pill>
  );
};

/**
 * Announced payments. While a payment is expected, its row has a button that pauses or resumes its mandate. It needs
 * `<Messages areas={["mandates"]}>`.
 */
export const NoticeTable = ({ notices, reader }: { notices: readonly WalletNotice[]; reader: Reader }) => {
  const t = translator(reader.locale, "upcoming");
  return (
    <Table
      caption={t("caption")}
      columns={[
        t("columns.merchant"),
        t("columns.mandate"),
        { date: t("columns.due") },
        { short: t("columns.status") },
        { figure: t("columns.amount") },
      ]}
    >
      <tbody>
        {notices.map((notice) => (
          <tr key={notice.id}>
            <td>
              <RowLink href={`/wallet/upcoming/${notice.id}`}>{notice.merchant.name}</RowLink>
              {notice.reference ? <CellNote>{notice.reference}</CellNote> : null}
            </td>
            <td>
              <Link href={`/wallet/mandates/${notice.mandate.id}`}>{notice.client.name}</Link>
              {notice.mandate.purpose ? <CellNote>{notice.mandate.purpose}</CellNote> : null}
            </td>
            <td className="muted">{formatDateTime(new Date(notice.dueAt), reader)}</td>
            <td>
              <div className={styles.state}>
                <NoticeState notice={notice} reader={reader} />
                {isExpected(notice) ? (
                  <PauseMandate mandateId={notice.mandate.id} isPaused={notice.mandate.isPausedByPayer} />
                ) : null}
              </div>
            </td>
            <td>{formatAmount(notice.amountMinor, notice.currency, reader)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
