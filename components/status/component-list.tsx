import { Link } from "#components/ui/link.tsx";
import type { ComponentState } from "#server/status/rules/board.ts";
import { InlineList } from "../format/inline-list.tsx";
import { componentStateLabels, notDeployedLabel } from "../format/labels/status-labels.ts";
import { keepOnOneLine } from "../format/text.ts";
import { type DayBar, DayBars } from "../ui/chart/day-bars.tsx";
import { Pill } from "../ui/pill.tsx";
import styles from "./component-list.module.css";

/** A component as the overview shows it. */
export type ComponentView = {
  key: string;
  name: string;
  group: string;
  state: ComponentState;
  /** false: the component has no data */
  isDeployed: boolean;
  /** the text that names the component whose outage affects this one; null if there is none */
  affectedBy: string | null;
  days: readonly DayBar[];
  /** `99.98%`; null: no data or no objective */
  figure: string | null;
  /** `objective 99.9%` or `best effort` */
  objective: string;
  /** `error budget: 34 of 43.2 min left` */
  budget: string | null;
};

export const ComponentRow = ({
  component,
  isPage = false,
  note = null,
}: {
  component: ComponentView;
  isPage?: boolean;
  /** below the bars */
  note?: string | null;
}) => {
  const { key, name, state, isDeployed, affectedBy, days, figure, objective, budget } = component;
  const { label, tone } = isDeployed ? componentStateLabels[state] : notDeployedLabel;
  return (
    <div className={styles.component}>
      <div className={styles.row}>
        <div>
          {isPage ? (
            <h1>{name}</h1>
          ) : (
            <h3>
              <Link href={`/status/components/${key}`}>{name}</Link>
            </h3>
          )}
          {affectedBy ? <p className="tiny">{affectedBy}</p> : null}
        </div>
        <Pill tone={tone}>{label}</Pill>
      </div>
      {isDeployed ? (
        <DayBars name={name} days={days}>
          <InlineList
            items={[
              figure ? (
                <span key="figure">
                  <b>{figure}</b> this month
                </span>
              ) : null,
              objective,
              budget && keepOnOneLine(budget),
            ]}
          />
        </DayBars>
      ) : null}
      {note ? <p className="small muted">{note}</p> : null}
    </div>
  );
};

/** All components by group. */
export const ComponentList = ({ components }: { components: readonly ComponentView[] }) =>
  [...Map.groupBy(components, ({ group }) => group)].map(([group, members]) => (
    <section key={group} aria-labelledby={`group-${group}`} className={styles.group}>
      <h2 id={`group-${group}`}>{group}</h2>
      <div className="card">
        {members.map((component) => (
          <ComponentRow key={component.key} component={component} />
        ))}
      </div>
    </section>
  ));
