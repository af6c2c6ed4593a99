import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { formatShortDate } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { CellId, Table } from "../../ui/table.tsx";

type Credit = OperatorMerchantBilling["credits"][number];

const creditKinds: Readonly<Record<Credit["kind"], string>> = {
  prepaid: "Prepaid",
  promotional: "Promotional",
  credit_note: "Credit balance",
};

/** The merchant's credits, newest first. */
export const MerchantCreditTable = ({
  credits,
  now,
  reader,
}: {
  credits: readonly Credit[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Credits"
    columns={[
      { short: "Kind" },
      { date: "Granted on" },
      { date: "Expires" },
      { figure: "Priority" },
      { figure: "Amount" },
      { figure: "Remaining" },
    ]}
  >
    <tbody>
      {credits.map((credit) => {
        const amount = (minor: number) => formatAmount(minor, credit.currency, reader);
        return (
          <tr key={credit.id}>
            <td>
              {creditKinds[credit.kind]}
              <CellId>{credit.id}</CellId>
            </td>
            <td className="muted">
              <Time at={credit.grantedAt} now={now} reader={reader} />
            </td>
            <td className="muted">
              {credit.expiresAt === null
                ? "Never"
                : `${credit.isExpired ? "Expired " : ""}${formatShortDate(new Date(credit.expiresAt), reader)}`}
            </td>
            <td>{credit.kind === "credit_note" ? "–" : credit.priority}</td>
            <td>{amount(credit.grantedMinor)}</td>
            <td>{amount(credit.remainingMinor)}</td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
