import Link from "next/link";
import type { OperatorMail } from "#server/trpc/operator-views.ts";
import { moment, type Reader } from "../mandates/words.ts";
import { Pill } from "../ui/pill.tsx";
import { Table } from "../ui/table.tsx";
import { kindName, mailStates } from "./mail-words.ts";
import styles from "./operator.module.css";

/** Mail, newest first. */
export const MailTable = ({ mail, now, reader }: { mail: readonly OperatorMail[]; now: Date; reader: Reader }) => (
  <Table caption="Mail">
    <thead>
      <tr>
        <th scope="col">Mail</th>
        <th scope="col" data-wide>
          Kind
        </th>
        <th scope="col" data-wide>
          When
        </th>
        <th scope="col">State</th>
      </tr>
    </thead>
    <tbody>
      {mail.map((one) => {
        const { tone, label } = mailStates[one.state];
        const when = moment(new Date(one.createdAt), now, reader);
        return (
          <tr key={one.id}>
            <td>
              <Link href={`/operator/outbox/${one.id}`} prefetch={false}>
                {one.subject}
              </Link>
              <span className={styles.what}>to {one.recipient}</span>
              <span className={`${styles.what} ${styles.narrow}`}>{when}</span>
            </td>
            <td data-wide>{kindName(one.kind)}</td>
            <td className="muted" data-wide>
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
