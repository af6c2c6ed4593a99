import type { OperatorPastAct } from "#server/trpc/operator/operator-views.ts";
import { formatRelativeDateTime } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";

const actorName = ({ actorKind, actorId }: OperatorPastAct): string =>
  actorKind === "system" ? `the ${actorId}` : `${actorKind} ${actorId}`;

/** The entries of a timeline that come from the audit log: what was done, why, when and by whom. */
export const PastActs = ({
  acts,
  nameOf,
  now,
  reader,
}: {
  acts: readonly OperatorPastAct[];
  nameOf: (action: string) => string;
  now: Date;
  reader: Reader;
}) =>
  acts.map((act) => (
    <li key={`${act.at}-${act.action}`}>
      <span>{nameOf(act.action)}</span>
      {act.change ? (
        <p className="num">
          {act.change.from} → {act.change.to}
        </p>
      ) : null}
      {act.reason ? <p>“{act.reason}”</p> : null}
      <div className="tiny num">
        <time dateTime={act.at}>{formatRelativeDateTime(new Date(act.at), now, reader)}</time> · by {actorName(act)}
      </div>
    </li>
  ));
