import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletCharge, WalletEntry } from "#server/trpc/wallet/views.ts";
import {
  type ActivityTexts,
  chargeStateLabel,
  type RefundState as RefundStateName,
  refundStateLabel,
} from "../format/labels/charge-labels.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import { Amount, ChargeAmount } from "../portal/charge-amount.tsx";
import { Link } from "../ui/link.tsx";
import { Pill } from "../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../ui/table.tsx";

type Look = { caption: string; now: Date; reader: Reader; hasMandate?: boolean };

/** Charges, newest first. A row opens its charge. */
export const ChargeTable = ({ charges, ...look }: Look & { charges: readonly WalletCharge[] }) => (
  <ActivityTable {...look} entries={charges.map((charge) => ({ kind: "charge", ...charge }))} />
);

/** Charges and refunds, newest first. A row opens its charge, or the charge that was refunded. */
export const ActivityTable = ({
  caption,
  entries,
  now,
  reader,
  hasMandate = true,
}: Look & { entries: readonly WalletEntry[] }) => {
  const t = translator(reader.locale, "activity");
  return (
    <Table
      caption={caption}
      columns={[
        t("columns.merchant"),
        ...(hasMandate ? [t("columns.mandate")] : []),
        { date: t("columns.when") },
        { short: t("columns.status") },
        { figure: t("columns.amount") },
      ]}
    >
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <RowLink href={`/wallet/activity/${entry.kind === "refund" ? entry.chargeId : entry.id}`}>
                {entry.merchant.name}
              </RowLink>
              <Reference entry={entry} t={t} />
            </td>
            {hasMandate ? (
              <td>
                <Link href={`/wallet/mandates/${entry.mandate.id}`}>{entry.client.name}</Link>
                {entry.mandate.purpose ? <CellNote>{entry.mandate.purpose}</CellNote> : null}
              </td>
            ) : null}
            <td className="muted">
              <Time at={entry.createdAt} now={now} reader={reader} />
            </td>
            <td>
              {entry.kind === "refund" ? (
                <RefundState status={entry.status} t={t} />
              ) : (
                <ChargeState charge={entry} t={t} />
              )}
            </td>
            <td>
              <EntryAmount entry={entry} reader={reader} t={t} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};

const Reference = ({ entry, t }: { entry: WalletEntry; t: ActivityTexts }) => {
  const { kind, reference } = entry;
  if (kind === "charge") return reference ? <CellNote>{reference}</CellNote> : null;
  return <CellNote>{reference ? t("refundOf", { reference }) : t("kinds.refund")}</CellNote>;
};

const EntryAmount = ({ entry, reader, t }: { entry: WalletEntry; reader: Reader; t: ActivityTexts }) =>
  entry.kind === "refund" ? (
    <Amount isStruckThrough={entry.status === "failed"}>
      {t("returned", { amount: formatAmount(entry.amountMinor, entry.currency, reader) })}
    </Amount>
  ) : (
    <ChargeAmount charge={entry} reader={reader} refunded={(amount) => t("refunded", { amount })} />
  );

export const RefundState = ({ status, t }: { status: RefundStateName; t: ActivityTexts }) => {
  const { tone, label } = refundStateLabel(status, t);
  return <Pill tone={tone}>{label}</Pill>;
};

/** A charge that needs the payer's approval links to the approval page. */
export const ChargeState = ({ charge, t }: { charge: Pick<WalletCharge, "id" | "state">; t: ActivityTexts }) => {
  const { tone, label } = chargeStateLabel(charge, t);
  const isWaiting = charge.state === "requires_action";
  return <Pill tone={tone}>{isWaiting ? <Link href={`/wallet/approvals/${charge.id}`}>{label}</Link> : label}</Pill>;
};
