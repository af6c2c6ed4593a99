import type { OperatorDunningCase } from "#server/trpc/operator/billing/operator-dunning.ts";
import { formatShortDate } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, RowLink, Table } from "../../ui/table.tsx";

type Props = { cases: readonly OperatorDunningCase[]; now: Date; reader: Reader };

const holds: Readonly<Record<NonNullable<OperatorDunningCase["hold"]>, string>> = {
  no_payment_method: "No payment method",
  no_processor: "No processor account",
  error: "Internal error; it is tried again automatically",
};

const steps = { pay: "Payment attempt", overdue: "Mark as overdue", suspend: "Refuse new charges" } as const;

/** Open invoices whose payment failed or whose due date has passed, longest unpaid first. */
export const DunningTable = ({ cases, now, reader }: Props) => (
  <Table
    caption="Unpaid invoices"
    columns={["Invoice", { date: "First failure" }, "Next step", { short: "New charges" }, { figure: "Amount due" }]}
  >
    <tbody>
      {cases.map((one) => (
        <tr key={one.invoiceId}>
          <td>
            <RowLink href={`/operator/invoices/${one.invoiceId}`}>{one.number ?? one.invoiceId}</RowLink>
            <CellNote>{one.merchant.name}</CellNote>
          </td>
          <td className="muted">
            {one.firstFailedAt ? <Time at={one.firstFailedAt} now={now} reader={reader} /> : "None"}
            {one.failures > 0 ? (
              <CellNote>{one.failures === 1 ? "1 failed attempt" : `${one.failures} failed attempts`}</CellNote>
            ) : null}
          </td>
          <td>
            <NextStep one={one} now={now} reader={reader} />
          </td>
          <td>
            {one.isSuspended ? (
              <Pill tone="bad">Refused</Pill>
            ) : (
              <>
                <Pill tone="good">Accepted</Pill>
                <CellNote>until {formatShortDate(new Date(one.suspensionAt), reader)}</CellNote>
              </>
            )}
          </td>
          <td>{formatAmount(one.amountDueMinor, one.currency, reader)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const NextStep = ({ one, now, reader }: { one: OperatorDunningCase; now: Date; reader: Reader }) => {
  if (one.hasPendingPayment) return "Look up a payment’s outcome";
  const hold = one.hold ? <CellNote>{holds[one.hold]}</CellNote> : null;
  if (!one.next) return <>None{hold}</>;
  return (
    <>
      {steps[one.next.kind]}
      <CellNote>
        <Time at={one.next.at} now={now} reader={reader} />
      </CellNote>
      {hold}
    </>
  );
};
