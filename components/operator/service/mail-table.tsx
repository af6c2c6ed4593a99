import type { OperatorMail } from "#server/trpc/operator/operator-views.ts";
import { mailKindLabel, mailStates } from "../../format/labels/mail-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Pill } from "../../ui/pill.tsx";
import { CellNote, DocumentRowLink, Table } from "../../ui/table.tsx";

/** E-mail, newest first. */
export const MailTable = ({ mail, now, reader }: { mail: readonly OperatorMail[]; now: Date; reader: Reader }) => (
  <Table caption="E-mail" columns={["Subject", { short: "Kind" }, { date: "When" }, { short: "Status" }]}>
    <tbody>
      {mail.map((one) => {
        const { tone, label } = mailStates[one.state];
        return (
          <tr key={one.id}>
            <td>
              {/* Opens a new document, because the mail's style sheet needs the nonce of the document that shows it. */}
              <DocumentRowLink href={`/operator/outbox/${one.id}`}>{one.subject}</DocumentRowLink>
              <CellNote>to {one.recipient}</CellNote>
            </td>
            <td>{mailKindLabel(one.kind)}</td>
            <td className="muted">
              <Time at={one.createdAt} now={now} reader={reader} />
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
