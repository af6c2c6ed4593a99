import type { ServiceQueues } from "#server/trpc/operator/home/operator-home-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Link } from "../../ui/link.tsx";
import { Table } from "../../ui/table.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { formatFigure, formatLag } from "./figure-texts.ts";

export const queueNames: Readonly<Record<string, string>> = {
  jobs: "Scheduled jobs",
  events: "Events",
  webhooks: "Webhook deliveries",
  mail: "E-mail",
  charges: "Charge look-ups",
};

/** The page that shows or explains the queue. */
const pages: Readonly<Record<string, { href: string; label: string }>> = {
  jobs: { href: "/operator/jobs", label: "Jobs" },
  events: { href: "/operator/jobs", label: "Job dispatch-events" },
  webhooks: { href: "/operator/jobs", label: "Job send-webhooks" },
  mail: { href: "/operator/outbox?state=pending", label: "Outbox" },
  charges: { href: "/operator/charges?show=review", label: "Charges needing review" },
};

/** The number of overdue items in each queue, and how long the oldest one has been waiting. */
export const QueueTable = ({ queues, reader }: { queues: ServiceQueues["queues"]; reader: Reader }) => (
  <Table caption="Queues" columns={["Queue", { figure: "Waiting" }, { figure: "Longest wait" }, { short: "See" }]}>
    <tbody>
      {queues.map(({ queue, waiting, lagSeconds }) => (
        <tr key={queue}>
          <td>{queueNames[queue] ?? queue}</td>
          <td>{formatFigure(waiting, reader)}</td>
          <td>{waiting > 0 ? formatLag(lagSeconds) : "–"}</td>
          <td>
            <QueuePage queue={queue} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const QueuePage = ({ queue }: { queue: string }) => {
  const { href, label } = pages[queue] ?? { href: "/operator/jobs", label: "Jobs" };
  const link = <Link href={href}>{label}</Link>;
  return queue === "mail" ? <IfAllowed action="mail.list">{link}</IfAllowed> : link;
};
