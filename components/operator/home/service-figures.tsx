import Link from "next/link";
import type { ReactNode } from "react";
import type { BudgetsLeft, ServiceFigures } from "#server/trpc/operator/home/operator-home-views.ts";
import { formatMinutes } from "../../format/durations.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { formatFigure, formatLag, formatP95, rangeNames } from "./figure-texts.ts";
import styles from "./home.module.css";
import { queueNames } from "./queue-table.tsx";

type Props = {
  figures: ServiceFigures;
  /** null in the sandbox, which has neither budgets nor a status page */
  budgets: BudgetsLeft | null;
  statusUrl: string;
  reader: Reader;
};

/** The service now, each figure with a link to the page or chart that explains it. */
export const ServiceFiguresNow = ({ figures, budgets, statusUrl, reader }: Props) => {
  const { current, queues, charges, range } = figures;
  const slowest = queues.toSorted((left, right) => right.lagSeconds - left.lagSeconds)[0];
  const isWaiting = slowest !== undefined && slowest.waiting > 0;
  const count = charges.reduce((sum, one) => sum + one.count, 0);
  const scarce = budgets?.toSorted((left, right) => shareLeft(left) - shareLeft(right))[0];
  const isProduction = budgets !== null;
  return (
    <dl className={`card ${styles.figures}`}>
      <Figure name="Requests per minute" href="#requests" value={numberText(current.requestsPerMinute, reader)}>
        {processText(current.processes)}
      </Figure>
      <Figure
        name="Errors per minute"
        href={isProduction ? "/operator/incidents" : "#errors"}
        value={numberText(current.errorsPerMinute, reader)}
      >
        {current.requests > 0
          ? `${formatPercent(current.errors / current.requests, reader, 2)} of requests`
          : "Responses with status 500 or above"}
      </Figure>
      <Figure
        name="95th percentile"
        href={isProduction ? `${statusUrl}/status/uptime` : "#latency"}
        value={formatP95(current, reader)}
      >
        Duration on the server, last 5 minutes
      </Figure>
      <Figure name="Longest wait in a queue" href="#queues" value={isWaiting ? formatLag(slowest.lagSeconds) : "None"}>
        {isWaiting ? (queueNames[slowest.queue] ?? slowest.queue) : "Nothing is overdue"}
      </Figure>
      <Figure name={`Charges, ${rangeNames[range]}`} href="/operator/charges" value={formatFigure(count, reader)}>
        In all states
      </Figure>
      {scarce ? (
        <Figure
          name="Smallest error budget"
          href="/operator/budgets"
          value={`${formatMinutes(scarce.leftMilliseconds, reader.locale)} left`}
        >
          {scarce.name}
        </Figure>
      ) : null}
    </dl>
  );
};

const shareLeft = ({ leftMilliseconds, allowedMilliseconds }: BudgetsLeft[number]): number =>
  allowedMilliseconds > 0 ? leftMilliseconds / allowedMilliseconds : 0;

const numberText = (value: number | null, reader: Reader): string =>
  value === null ? "No report" : formatFigure(value, reader);

const processText = (processes: number): string => {
  if (processes === 0) return "No web process reported in the last 5 minutes";
  return `${processes} web ${processes === 1 ? "process" : "processes"}, last 5 minutes`;
};

type FigureProps = { name: string; href: string; value: string; children: ReactNode };

const Figure = ({ name, href, value, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {href.startsWith("/") ? (
        <Link href={href} prefetch={false} className={styles.value}>
          {value}
        </Link>
      ) : (
        <a href={href} className={styles.value}>
          {value}
        </a>
      )}
      {children}
    </dd>
  </div>
);
