import type { OperatorReconciliation } from "#server/trpc/operator/billing/reconciliation-views.ts";
import { formatUtcDate } from "../../format/dates.ts";
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
          <td>{formatUtcDate(one.day, reader.locale)}</td>
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

type Side = OperatorReconciliation["results"][number]["metered"];

const Amount = ({ side, reader }: { side: Side; reader: Reader }) => (
  <>
    {side.count.toLocaleString(reader.locale)}
    {String(side.count) === side.quantity ? null : (
      <CellNote>{BigInt(side.quantity).toLocaleString(reader.locale)} in total</CellNote>
    )}
  </>
);

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
            <RowLink href={`/operator/merchants/${one.merchant.id}`} prefetch={false}>
              {one.merchant.name}
            </RowLink>
          </td>
          <td>{formatUtcDate(one.day, reader.locale)}</td>
          <td>
            <code>{one.meter}</code>
          </td>
          <td>
            <Amount side={one.metered} reader={reader} />
          </td>
          <td>
            <Amount side={one.source} reader={reader} />
          </td>
          <td>
            <Verdict differences={one.isDifferent ? 1 : 0} />
          </td>
          <td>
            {one.isDifferent ? (
              <IfAllowed action="reconciliation.repeat">
                <CompareAgain day={one.day} label={formatUtcDate(one.day, reader.locale)} />
              </IfAllowed>
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
