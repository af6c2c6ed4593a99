import Link from "next/link";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletCharge } from "#server/trpc/wallet/views.ts";
import { type ActivityTexts, chargeStateLabel } from "../format/labels/charge-labels.ts";
import type { Reader } from "../format/reader.ts";
import { Time } from "../format/time.tsx";
import { ChargeAmount } from "../portal/charge-amount.tsx";
import { Pill } from "../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../ui/table.tsx";

/** Charges, newest first. A row opens its charge. */
export const ChargeTable = ({
  caption,
  charges,
  now,
  reader,
  hasMandate = true,
}: {
  caption: string;
  charges: readonly WalletCharge[];
  now: Date;
  reader: Reader;
  hasMandate?: boolean;
}) => {
  const t = translator(reader.locale, "activity");
  return (
    <Table
      caption={caption}
      columns={[
        t("columns.merchant"),
        ...(hasMandate ? [t("columns.mandate")] : []),
        { figure: t("columns.when") },
        t("columns.status"),
        t("columns.amount"),
      ]}
    >
      <tbody>
        {charges.map((charge) => (
          <tr key={charge.id}>
            <td>
              <RowLink href={`/wallet/activity/${charge.id}`} prefetch={false}>
                {charge.merchant.name}
              </RowLink>
              {charge.reference ? <CellNote>{charge.reference}</CellNote> : null}
            </td>
            {hasMandate ? (
              <td>
                <Link href={`/wallet/mandates/${charge.mandate.id}`} prefetch={false}>
                  {charge.client.name}
                </Link>
                {charge.mandate.purpose ? <CellNote>{charge.mandate.purpose}</CellNote> : null}
              </td>
            ) : null}
            <td className="muted" data-figure>
              <Time at={charge.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <ChargeState charge={charge} t={t} />
            </td>
            <td>
              <ChargeAmount charge={charge} reader={reader} refunded={(amount) => t("refunded", { amount })} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};

/** A charge that needs the payer's approval links to the approval page. */
export const ChargeState = ({ charge, t }: { charge: Pick<WalletCharge, "id" | "state">; t: ActivityTexts }) => {
  const { tone, label } = chargeStateLabel(charge, t);
  const isWaiting = charge.state === "requires_action";
  return (
    <Pill tone={tone}>
      {isWaiting ? (
        <Link href={`/wallet/approvals/${charge.id}`} prefetch={false}>
          {label}
        </Link>
      ) : (
        label
      )}
    </Pill>
  );
};
