import type { Incident } from "#server/status/rules/board.ts";
import { formatPublicDate, formatPublicDateTime } from "../../format/public-dates.ts";
import { Notice } from "../../ui/notice.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./postmortem.module.css";

/** A critical incident gets a postmortem within five working days. Shows the due date, and whether it is overdue. */
export const PostmortemDue = ({ dueOn, isOverdue }: { dueOn: Date; isOverdue: boolean }) => (
  <Notice tone={isOverdue ? "bad" : "note"}>
    {isOverdue
      ? `The postmortem was due on ${formatPublicDate(dueOn)} and is overdue. We will publish it here.`
      : `A postmortem is due by ${formatPublicDate(dueOn)}. It will be published here.`}
  </Notice>
);

const Part = ({ title, text }: { title: string; text: string }) => (
  <>
    <h3>{title}</h3>
    <p className={`small ${styles.text}`}>{text}</p>
  </>
);

export const PostmortemText = ({
  postmortem,
  publishedAt,
  now,
}: {
  postmortem: NonNullable<Incident["postmortem"]>;
  publishedAt: Date;
  now: Date;
}) => (
  <section className={styles.postmortem} aria-labelledby="postmortem">
    <div>
      <h2 id="postmortem">Postmortem</h2>
      <p className="tiny num">Published {formatPublicDateTime(publishedAt, now)}</p>
    </div>
    <div className={`card ${styles.parts}`}>
      <Part title="Summary" text={postmortem.summary} />
      <Part title="Timeline" text={postmortem.timeline} />
      <Part title="Causes" text={postmortem.causes} />
    </div>
    {postmortem.actions.length > 0 ? (
      <>
        <h3>Actions</h3>
        <Table caption="Actions" columns={["Action", "Owner", { date: "Status" }]}>
          <tbody>
            {postmortem.actions.map(({ id, title, owner, dueOn, doneAt }) => (
              <tr key={id}>
                <td>{title}</td>
                <td>{owner}</td>
                <td>{doneAt ? <Pill tone="good">Done</Pill> : `Due ${formatPublicDate(dueOn)}`}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </>
    ) : null}
  </section>
);
