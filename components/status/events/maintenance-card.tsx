import type { Maintenance } from "#server/status/rules/board.ts";
import { formatDuration } from "../../format/durations.ts";
import { maintenanceStateLabels } from "../../format/labels/status-labels.ts";
import { formatPublicDateTime, formatPublicRange } from "../../format/public-dates.ts";
import { formatList } from "../../format/text.ts";
import { EventCard } from "./event-card.tsx";
import type { TimelineUpdate } from "./timeline.tsx";

export type MaintenanceView = Pick<
  Maintenance,
  "id" | "title" | "state" | "announcedAt" | "scheduledFrom" | "scheduledTo" | "startedAt" | "endedAt"
> & {
  /** the names of the components */
  components: readonly string[];
  /** newest first */
  updates: readonly TimelineUpdate[];
};

const durationText = ({ startedAt, endedAt }: MaintenanceView, now: Date): string | null => {
  if (!startedAt) return null;
  return endedAt
    ? `took ${formatDuration(endedAt.getTime() - startedAt.getTime())}`
    : `started ${formatPublicDateTime(startedAt, now)}`;
};

export const MaintenanceCard = ({
  maintenance,
  now,
  isPage = false,
}: {
  maintenance: MaintenanceView;
  now: Date;
  isPage?: boolean;
}) => {
  const { label, tone } = maintenanceStateLabels[maintenance.state];
  const planned = formatPublicRange(maintenance.scheduledFrom, maintenance.scheduledTo);
  return (
    <EventCard
      title={maintenance.title}
      href={isPage ? null : `/status/maintenance/${maintenance.id}`}
      label={label}
      tone={tone}
      about={[formatList(maintenance.components), planned, durationText(maintenance, now)]}
      updates={maintenance.updates}
      now={now}
    />
  );
};
