import type { OperatorReconciliation } from "#server/trpc/operator/billing/reconciliation-views.ts";
import { formatShortUtcDate } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { CompareAgain } from "./compare-again.tsx";

type Shown = { now: Date; reader: Reader };

const Verdict = ({ differences }: { differences: number }) => (
  <Pill tone={differences === 0 ? "good" : "bad"}>{differences === 0 ? "Equal" : "Different"}</Pill>
);

/** The last days that were compared for all merchants. */
export const ReconciledDayTable = ({ days, now, reader }: Shown & { days: OperatorReconciliation["days"] }) => (
  <Table
    caption="Days"
    columns={[
      { date: "Day (UTC)" },
      { figure: "Meters" },
      { figure: "Differences" },
      { date: "Compared" },
      { short: "Result" },
    ]}
  >
    <tbody>
      {days.map((one) => (
        <tr key={one.day}>
          <td>{formatShortUtcDate(one.day, reader.locale)}</td>
          <td>{one.compared.toLocaleString(reader.locale)}</td>
          <td>{one.differences.toLocaleString(reader.locale)}</td>
          <td className="muted">
            <Time at={one.checkedAt} now={now} reader={reader} />
          </td>
          <td>
            <Verdict differences={one.differences} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

type Result = OperatorReconciliation["results"][number];
type SideProps = { side: Result["metered"]; currencies: Result["currencies"]; reader: Reader };

/** The sum of a meter's events. It is formatted as money if the amounts have one currency. */
const totalText = ({ side, currencies, reader }: SideProps): string | null => {
  const total = BigInt(side.quantity);
  const [currency, ...others] = currencies ?? [];
  if (currency !== undefined && others.length === 0) return formatAmount(total, currency, reader);
  if (currencies !== null) {
    const units = currencies.length > 0 ? `minor units of ${currencies.join(" and ")}` : "minor units";
    return `${total.toLocaleString(reader.locale)} ${units}`;
  }
  return String(side.count) === side.quantity ? null : `${total.toLocaleString(reader.locale)} in total`;
};

const MeteredSide = (props: SideProps) => {
  const total = totalText(props);
  return (
    <>
      {props.side.count.toLocaleString(props.reader.locale)}
      {total === null ? null : <CellNote>{total}</CellNote>}
    </>
  );
};

/** Results per merchant, day and meter. */
export const MeterResultTable = ({ results, reader }: Shown & { results: OperatorReconciliation["results"] }) => (
  <Table
    caption="Meters"
    columns={[
      "Merchant",
      { date: "Day (UTC)" },
      "Meter",
      { figure: "Metered" },
      { figure: "Source" },
      { short: "Result" },
      { acts: "Actions" },
    ]}
  >
    <tbody>
      {results.map((one) => (
        <tr key={one.place}>
          <td>
            <RowLink href={`/operator/merchants/${one.merchant.id}`}>{one.merchant.name}</RowLink>
          </td>
          <td>{formatShortUtcDate(one.day, reader.locale)}</td>
          <td>
            <code>{one.meter}</code>
          </td>
          <td>
            <MeteredSide side={one.metered} currencies={one.currencies} reader={reader} />
          </td>
          <td>
            <MeteredSide side={one.source} currencies={one.currencies} reader={reader} />
          </td>
          <td>
            <Verdict differences={one.isDifferent ? 1 : 0} />
          </td>
          <td>
            {one.isDifferent ? (
              <IfAllowed action="reconciliation.repeat">
                <CompareAgain day={one.day} label={formatShortUtcDate(one.day, reader.locale)} />
              </IfAllowed>
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
