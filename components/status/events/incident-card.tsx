import type { ComponentState, Incident } from "#server/status/rules/board.ts";
import { formatDuration } from "../../format/durations.ts";
import { componentStateLabels, incidentImpactLabels, incidentStateLabels } from "../../format/labels/status-labels.ts";
import { formatPublicDateTime } from "../../format/public-dates.ts";
import { EventCard } from "./event-card.tsx";
import type { TimelineUpdate } from "./timeline.tsx";

/** The public view of an incident. */
export type IncidentView = Pick<Incident, "id" | "title" | "state" | "impact" | "startedAt" | "resolvedAt"> & {
  /** the affected components, each with its worst state */
  components: readonly { key: string; name: string; state: ComponentState }[];
  /** newest first */
  updates: readonly TimelineUpdate[];
};

const durationText = ({ startedAt, resolvedAt }: IncidentView, now: Date): string => {
  const since = formatPublicDateTime(startedAt, now);
  return resolvedAt === null
    ? `since ${since}, for ${formatDuration(now.getTime() - startedAt.getTime())}`
    : `began ${since}, lasted ${formatDuration(resolvedAt.getTime() - startedAt.getTime())}`;
};

export const IncidentCard = ({
  incident,
  now,
  isPage = false,
}: {
  incident: IncidentView;
  now: Date;
  isPage?: boolean;
}) => {
  const { label, tone } = incidentStateLabels[incident.state];
  const affected = incident.components.map(
    ({ name, state }) => `${name}: ${componentStateLabels[state].label.toLowerCase()}`,
  );
  return (
    <EventCard
      title={incident.title}
      href={isPage ? null : `/status/incidents/${incident.id}`}
      label={label}
      tone={tone}
      about={[incidentImpactLabels[incident.impact], ...affected, durationText(incident, now)]}
      updates={incident.updates}
      now={now}
    />
  );
};
