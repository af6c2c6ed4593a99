import Link from "next/link";
import type { OperatorMail } from "#server/trpc/operator/operator-views.ts";
import { formatRelativeDateTime } from "../../format/dates.ts";
import { mailKindName, mailStates } from "../../format/labels/mail-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

/** E-mail, newest first. */
export const MailTable = ({ mail, now, reader }: { mail: readonly OperatorMail[]; now: Date; reader: Reader }) => (
  <Table caption="E-mail" columns={["Subject", { wide: "Kind" }, { wide: "When" }, "State"]}>
    <tbody>
      {mail.map((one) => {
        const { tone, label } = mailStates[one.state];
        const when = formatRelativeDateTime(new Date(one.createdAt), now, reader);
        return (
          <tr key={one.id}>
            <td>
              <Link href={`/operator/outbox/${one.id}`} prefetch={false}>
                {one.subject}
              </Link>
              <CellNote>to {one.recipient}</CellNote>
              <CellNote isNarrow>{when}</CellNote>
            </td>
            <td data-wide>{mailKindName(one.kind)}</td>
            <td className="muted" data-wide data-figure>
              {when}
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
