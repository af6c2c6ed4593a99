"use client";
import type { ComponentChoice, OperatorIncident } from "#server/trpc/operator/operator-status-views.ts";
import { componentStates, impacts, incidentStates } from "../../format/labels/incident-labels.ts";
import { textIn } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Field, Select, TextArea } from "../../ui/field.tsx";

const told = ["investigating", "identified", "monitoring"] as const;
const sayable = ["operational", "degraded", "partial_outage", "major_outage"] as const;

type Told = (typeof told)[number];
type Impact = OperatorIncident["impact"];
type Key = ComponentChoice["key"];
type Sayable = (typeof sayable)[number];

export const TitleField = ({ title }: { title?: string }) => (
  <Field
    label="Title"
    name="title"
    required
    minLength={3}
    maxLength={120}
    defaultValue={title}
    autoComplete="off"
    hint="What users notice, in a few words."
  />
);

export const ImpactSelect = ({ impact }: { impact: Impact }) => (
  <Select label="Impact" name="impact" defaultValue={impact}>
    {Object.entries(impacts).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Select>
);

export const StateSelect = ({ state }: { state: Told }) => (
  <Select label="State" name="state" defaultValue={state}>
    {told.map((value) => (
      <option key={value} value={value}>
        {incidentStates[value].label}
      </option>
    ))}
  </Select>
);

export const PublicText = ({ label = "What you tell everybody", typed = "" }: { label?: string; typed?: string }) => (
  <TextArea
    label={label}
    name="text"
    defaultValue={typed}
    required
    minLength={3}
    maxLength={4_000}
    hint="It is public at once, and can’t be taken back."
  />
);

/** @param components with what operators say of each now; null: nothing. */
export const ComponentFields = ({
  components,
}: {
  components: readonly (ComponentChoice & { state?: string | null })[];
}) => (
  <fieldset className={styles.group}>
    <legend>Components</legend>
    <div className={styles.pair}>
      {components.map(({ key, name, state = null }) => (
        <Select key={key} label={name} name={`component:${key}`} defaultValue={state ?? ""}>
          {state === null ? <option value="">As measured</option> : null}
          {sayable.map((value) => (
            <option key={value} value={value}>
              {componentStates[value].label}
            </option>
          ))}
        </Select>
      ))}
    </div>
  </fieldset>
);

const among = <Value extends string>(values: readonly Value[], text: string, otherwise: Value): Value =>
  values.find((value) => value === text) ?? otherwise;

/** What the fields above say; components that nothing is said of are left out. */
export const readIncident = (form: FormData, components: readonly ComponentChoice[]) => ({
  title: textIn(form, "title"),
  text: textIn(form, "text"),
  impact: among(Object.keys(impacts) as Impact[], textIn(form, "impact"), "minor"),
  state: among(told, textIn(form, "state"), "investigating"),
  components: components.flatMap(({ key }): { component: Key; state: Sayable }[] => {
    const said = sayable.find((value) => value === textIn(form, `component:${key}`));
    return said ? [{ component: key, state: said }] : [];
  }),
});
