import type { OperatorTaxCase } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatShortDate } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { formatBilledPeriod } from "../../merchant/billing/billed-period.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Drafts that wait for the merchant's tax region. The draft that has waited longest is first. */
export const TaxCaseTable = ({
  cases,
  now,
  reader,
}: {
  cases: readonly OperatorTaxCase[];
  now: Date;
  reader: Reader;
}) => (
  <Table
    caption="Draft invoices without a tax region"
    columns={["Merchant", { date: "Waiting since" }, { short: "Status" }, { figure: "Total so far" }]}
  >
    <tbody>
      {cases.map((one) => (
        <tr key={one.id}>
          <td>
            <RowLink href={`/operator/invoices/${one.id}`}>{one.merchant.name}</RowLink>
            <CellNote>
              <span data-dates>{formatBilledPeriod(one, reader)}</span>
            </CellNote>
          </td>
          <td className="muted">
            <Time at={one.awaitedSince} now={now} reader={reader} />
          </td>
          <td>
            {one.isDue ? (
              <Pill tone="warn">Needs a decision</Pill>
            ) : (
              <Pill tone="note">Waiting until {formatShortDate(new Date(one.decideFrom), reader)}</Pill>
            )}
          </td>
          <td>{formatAmount(one.totalMinor, one.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
