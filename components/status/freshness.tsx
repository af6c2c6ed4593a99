import { formatDuration } from "../format/durations.ts";
import { formatPublicDateTime } from "../format/public-dates.ts";
import { Notice } from "../ui/notice.tsx";
import { KeepFresh } from "./keep-fresh.tsx";

/** Data older than this is stale. */
const staleMilliseconds = 90_000;

/** Shows a notice while the data of the page is stale, and keeps the page up to date. */
export const Freshness = ({ readAt, now }: { readAt: Date; now: Date }) => {
  const age = now.getTime() - readAt.getTime();
  return (
    <>
      {age > staleMilliseconds ? (
        <Notice tone="warn">
          The service’s database can’t be read at the moment. Incidents and history were last read {formatDuration(age)}{" "}
          ago ({formatPublicDateTime(readAt, now)}). Current states come from our own probes.
        </Notice>
      ) : null}
      <KeepFresh />
    </>
  );
};

/** @param hasDemoHistory the days before the service started are demo data */
export const AsOf = ({ now, hasDemoHistory }: { now: Date; hasDemoHistory: boolean }) => (
  <p className="tiny num">
    As of <time dateTime={now.toISOString()}>{formatPublicDateTime(now, now)}</time>. Uptime is calculated from time
    intervals. Unknown time isn’t counted. Maintenance that was announced at least 72 hours before its start is
    excluded, up to 4 hours a month. Percentages are rounded down.{" "}
    <a href="/status/uptime#formula">Formula and raw intervals</a>.
    {hasDemoHistory ? " The history before this service was first started is demo data." : null}
  </p>
);
