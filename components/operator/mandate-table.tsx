import Link from "next/link";
import type { OperatorFoundMandate } from "#server/trpc/operator/operator-views.ts";
import { stateTone } from "../format/mandate-labels.ts";
import { date, type Reader } from "../format/values.ts";
import { Pill } from "../ui/pill.tsx";
import { Table, Under } from "../ui/table.tsx";

/** Mandates that a search found, newest first. */
export const MandateTable = ({ mandates, reader }: { mandates: readonly OperatorFoundMandate[]; reader: Reader }) => (
  <Table caption="Mandates" columns={["Mandate", "Payer", { wide: "Since" }, "State"]}>
    <tbody>
      {mandates.map((mandate) => {
        const { tone, label } = stateTone(mandate.state);
        return (
          <tr key={mandate.id}>
            <td>
              <Link href={`/operator/mandates/${mandate.id}`} prefetch={false}>
                {mandate.clientName}
              </Link>
              <Under>{mandate.purpose || mandate.id}</Under>
            </td>
            <td>{mandate.payerEmail}</td>
            <td className="muted" data-wide data-figure>
              {date(new Date(mandate.createdAt), reader)}
            </td>
            <td>
              <Pill tone={tone}>{label}</Pill>
            </td>
          </tr>
        );
      })}
    </tbody>
  </Table>
);
