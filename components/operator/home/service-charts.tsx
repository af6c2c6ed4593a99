import type { ServiceCharges, ServiceRequests } from "#server/trpc/operator/home/operator-home-views.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { RangePicker } from "../../portal/lists/range-picker.tsx";
import { Skeleton } from "../../portal/skeleton.tsx";
import { CategoryChart } from "../../ui/chart/category-chart.tsx";
import { TimeChart } from "../../ui/chart/time-chart.tsx";
import { operatorChargeStateLabel } from "../labels/operator-charge-labels.ts";
import { type FigureRange, formatFigure, latencySummary, rangeNames } from "./figure-texts.ts";
import styles from "./home.module.css";
import { PagePart, type PartAnswer, PartNotice } from "./page-part.tsx";

type Shown = { range: FigureRange; reader: Reader };
type RequestProps = Shown & { requests: ServiceRequests };
type ChargeProps = Shown & { charges: ServiceCharges };

/** Selects the period of the charts. The URL contains the choice. */
export const FigureRangePicker = ({ current }: { current: FigureRange }) => (
  <RangePicker
    ranges={[
      { name: "Last hour", href: "/operator", isCurrent: current === "hour" },
      { name: "Last 24 hours", href: "/operator?range=day", isCurrent: current === "day" },
    ]}
    scroll={false}
  />
);

const time = { period: "Time", noData: "No web process reported in this period." } as const;

/** Requests, errors, durations and charges of the period. */
export const ServiceCharts = ({
  requests,
  charges,
  ...shown
}: Shown & { requests: Promise<PartAnswer<ServiceRequests>>; charges: Promise<PartAnswer<ServiceCharges>> }) => (
  <div className={styles.charts}>
    <PagePart
      answer={requests}
      pending={["requests", "errors", "latency"].map((id) => <Skeleton key={id} shape="chart" />)}
      unloaded={(why) => <PartNotice name="Requests, errors and durations" why={why} />}
    >
      {(data) => <RequestCharts requests={data} {...shown} />}
    </PagePart>
    <PagePart
      answer={charges}
      pending={<Skeleton shape="chart" />}
      unloaded={(why) => <PartNotice name="Charges by status" why={why} />}
    >
      {(data) => <ChargeChart charges={data} {...shown} />}
    </PagePart>
  </div>
);

const RequestCharts = ({ requests, range, reader }: RequestProps) => (
  <>
    <div id="requests">
      <TimeChart
        title="Requests per minute"
        summary={requestSummary({ requests, range, reader })}
        unit={{ kind: "count" }}
        interval="time"
        series={[{ name: "Requests per minute" }]}
        points={requests.points.map(({ at, requestsPerMinute }) => ({ at, values: [requestsPerMinute] }))}
        reader={reader}
        texts={time}
      />
    </div>
    <div id="errors">
      <TimeChart
        title="Errors per minute"
        summary={errorSummary({ requests, range, reader })}
        unit={{ kind: "count" }}
        interval="time"
        series={[{ name: "Errors per minute", look: "bad" }]}
        points={requests.points.map(({ at, errorsPerMinute }) => ({ at, values: [errorsPerMinute] }))}
        reader={reader}
        texts={time}
      />
    </div>
    <div id="latency">
      <TimeChart
        title="95th percentile of durations"
        summary={latencySummary(requests.total, range, reader)}
        unit={{ kind: "milliseconds" }}
        interval="time"
        shape="lines"
        series={[{ name: "95th percentile", look: "note" }]}
        points={requests.points.map(({ at, p95 }) => ({ at, values: [p95] }))}
        reader={reader}
        texts={time}
      />
    </div>
  </>
);

const ChargeChart = ({ charges, range, reader }: ChargeProps) => (
  <div id="charges">
    <CategoryChart
      title="Charges by status"
      summary={chargeSummary({ charges, range, reader })}
      unit={{ kind: "count" }}
      category="Status"
      measure="Charges"
      items={charges
        .toSorted((left, right) => right.count - left.count)
        .map(({ state, count }) => ({
          name: operatorChargeStateLabel({ state }).label,
          value: count,
          href: `/operator/charges?state=${state}`,
        }))}
      reader={reader}
    />
  </div>
);

const noFigures = "No figures yet. Web processes report once a minute.";

const requestSummary = ({ requests: { total }, range, reader }: RequestProps): string => {
  if (total.requestsPerMinute === null) return noFigures;
  const requests = `${formatFigure(total.requests, reader)} API and page requests`;
  return `${requests} in the ${rangeNames[range]}, an average of ${formatFigure(total.requestsPerMinute, reader)} requests per minute.`;
};

const errorSummary = ({ requests: { total }, range, reader }: RequestProps): string => {
  if (total.requestsPerMinute === null) return noFigures;
  const errors = `${formatFigure(total.errors, reader)} ${total.errors === 1 ? "response" : "responses"}`;
  const share = total.requests > 0 ? `, ${formatPercent(total.errors / total.requests, reader, 2)} of all` : "";
  return `${errors} with status 500 or above in the ${rangeNames[range]}${share}.`;
};

const chargeSummary = ({ charges, range, reader }: ChargeProps): string => {
  const count = charges.reduce((sum, one) => sum + one.count, 0);
  return `${formatFigure(count, reader)} ${count === 1 ? "charge was" : "charges were"} created in the ${rangeNames[range]}.`;
};
