import type { ReactNode } from "react";
import type {
  BudgetsLeft,
  ServiceCharges,
  ServiceQueues,
  ServiceRequests,
} from "#server/trpc/operator/home/operator-home-views.ts";
import { formatMinutes } from "../../format/durations.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { Figure, Figures } from "../../portal/figures.tsx";
import { Link } from "../../ui/link.tsx";
import { type FigureRange, formatFigure, formatLag, formatP95, rangeNames } from "./figure-texts.ts";
import { PagePart, type PartAnswer, type Unloaded } from "./page-part.tsx";
import { queueNames } from "./queue-table.tsx";

type Props = {
  requests: Promise<PartAnswer<ServiceRequests>>;
  queues: Promise<PartAnswer<ServiceQueues>>;
  charges: Promise<PartAnswer<ServiceCharges>>;
  /** null in the sandbox, which has neither budgets nor a status page */
  budgets: Promise<PartAnswer<BudgetsLeft | null>> | null;
  range: FigureRange;
  statusUrl: string;
  reader: Reader;
};

/** The current figures of the service, each with a link to the page or chart that explains it. */
export const ServiceFiguresNow = ({ requests, queues, charges, budgets, range, statusUrl, reader }: Props) => (
  <Figures isStreamed>
    <FigurePart answer={requests} names={["Requests per minute", "Errors per minute", "95th percentile"]}>
      {(data) => <RequestFigures requests={data} statusUrl={budgets === null ? null : statusUrl} reader={reader} />}
    </FigurePart>
    <FigurePart answer={queues} names={["Longest wait in a queue"]}>
      {(data) => <QueueFigure queues={data.queues} />}
    </FigurePart>
    <FigurePart answer={charges} names={[`Charges, ${rangeNames[range]}`]}>
      {(data) => (
        <LinkedFigure
          name={`Charges, ${rangeNames[range]}`}
          href="/operator/charges"
          value={formatFigure(
            data.reduce((sum, { count }) => sum + count, 0),
            reader,
          )}
        >
          In all statuses
        </LinkedFigure>
      )}
    </FigurePart>
    {budgets === null ? null : (
      <FigurePart answer={budgets} names={["Smallest remaining error budget"]}>
        {(data) => <BudgetFigure budgets={data} reader={reader} />}
      </FigurePart>
    )}
  </Figures>
);

/** Figures that are loaded together. While they load, and if they can't be loaded, their names stay visible. */
const FigurePart = <Data,>({
  answer,
  names,
  children,
}: {
  answer: Promise<PartAnswer<Data>>;
  names: readonly string[];
  children: (data: Data) => ReactNode;
}) => {
  const withoutValue = (text: string) => names.map((name) => <EmptyFigure key={name} name={name} text={text} />);
  return (
    <PagePart answer={answer} pending={withoutValue("Loading")} unloaded={(why) => withoutValue(emptyTexts[why])}>
      {children}
    </PagePart>
  );
};

const emptyTexts: Readonly<Record<Unloaded, string>> = { late: "Loading is taking too long", failed: "Loading failed" };

const EmptyFigure = ({ name, text }: { name: string; text: string }) => (
  <Figure name={name} value="–">
    {text}
  </Figure>
);

/** `statusUrl` null: there is no status page. */
const RequestFigures = ({
  requests: { current },
  statusUrl,
  reader,
}: {
  requests: ServiceRequests;
  statusUrl: string | null;
  reader: Reader;
}) => (
  <>
    <LinkedFigure name="Requests per minute" href="#requests" value={numberText(current.requestsPerMinute, reader)}>
      {processText(current.processes)}
    </LinkedFigure>
    <LinkedFigure
      name="Errors per minute"
      href={statusUrl === null ? "#errors" : "/operator/incidents"}
      value={numberText(current.errorsPerMinute, reader)}
    >
      {current.requests > 0
        ? `${formatPercent(current.errors / current.requests, reader, 2)} of requests`
        : "Responses with status 500 or above"}
    </LinkedFigure>
    <LinkedFigure
      name="95th percentile"
      href={statusUrl === null ? "#latency" : `${statusUrl}/status/uptime`}
      value={formatP95(current, reader)}
    >
      Duration on the server, last 5 minutes
    </LinkedFigure>
  </>
);

const QueueFigure = ({ queues }: Pick<ServiceQueues, "queues">) => {
  const slowest = queues.toSorted((left, right) => right.lagSeconds - left.lagSeconds)[0];
  const isWaiting = slowest !== undefined && slowest.waiting > 0;
  return (
    <LinkedFigure
      name="Longest wait in a queue"
      href="#queues"
      value={isWaiting ? formatLag(slowest.lagSeconds) : "None"}
    >
      {isWaiting ? (queueNames[slowest.queue] ?? slowest.queue) : "Nothing is overdue"}
    </LinkedFigure>
  );
};

const BudgetFigure = ({ budgets, reader }: { budgets: BudgetsLeft | null; reader: Reader }) => {
  const scarce = budgets?.toSorted(byShareThenMinutes)[0];
  if (!scarce) return null;
  const value = `${formatMinutes(scarce.leftMilliseconds, reader.locale)} left`;
  return (
    <LinkedFigure name="Smallest remaining error budget" href="/operator/budgets" value={value}>
      {scarce.name}
    </LinkedFigure>
  );
};

const shareLeft = ({ leftMilliseconds, allowedMilliseconds }: BudgetsLeft[number]): number =>
  allowedMilliseconds > 0 ? leftMilliseconds / allowedMilliseconds : 0;

/** Orders budgets by the share that is left, and budgets with the same share by the minutes that are left. */
const byShareThenMinutes = (left: BudgetsLeft[number], right: BudgetsLeft[number]): number =>
  shareLeft(left) - shareLeft(right) || left.leftMilliseconds - right.leftMilliseconds;

const numberText = (value: number | null, reader: Reader): string =>
  value === null ? "No report" : formatFigure(value, reader);

const processText = (processes: number): string => {
  if (processes === 0) return "No web process reported in the last 5 minutes";
  return `${processes} web ${processes === 1 ? "process" : "processes"}, last 5 minutes`;
};

type LinkedFigureProps = { name: string; href: string; value: string; children: ReactNode };

const LinkedFigure = ({ name, href, value, children }: LinkedFigureProps) => (
  <Figure name={name} value={href.startsWith("/") ? <Link href={href}>{value}</Link> : <a href={href}>{value}</a>}>
    {children}
  </Figure>
);
