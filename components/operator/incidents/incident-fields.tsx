"use client";
import type { ComponentChoice, OperatorIncident } from "#server/trpc/operator/operator-status-views.ts";
import { componentStates, impacts, incidentStates } from "../../format/labels/incident-labels.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Field, Select, TextArea } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";

const updateStates = ["investigating", "identified", "monitoring"] as const;
const operatorStates = ["operational", "degraded", "partial_outage", "major_outage"] as const;

type UpdateState = (typeof updateStates)[number];
type Impact = OperatorIncident["impact"];
type Key = ComponentChoice["key"];
type OperatorState = (typeof operatorStates)[number];

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
    <Options labels={impacts} />
  </Select>
);

export const StateSelect = ({ state }: { state: UpdateState }) => (
  <Select label="Status" name="state" defaultValue={state}>
    {updateStates.map((value) => (
      <option key={value} value={value}>
        {incidentStates[value].label}
      </option>
    ))}
  </Select>
);

export const PublicMessageField = ({
  label = "Public message",
  initial = "",
}: {
  label?: string;
  initial?: string;
}) => (
  <TextArea
    label={label}
    name="text"
    defaultValue={initial}
    required
    minLength={3}
    maxLength={4_000}
    hint="The message is published when you submit the form. It can’t be changed or withdrawn."
  />
);

/** @param components each with the state that an operator set; null: operators set none */
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
          {operatorStates.map((value) => (
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

/** Reads the fields above. Components without a state set by an operator are omitted. */
export const readIncident = (form: FormData, components: readonly ComponentChoice[]) => ({
  title: textField(form, "title"),
  text: textField(form, "text"),
  impact: among(Object.keys(impacts) as Impact[], textField(form, "impact"), "minor"),
  state: among(updateStates, textField(form, "state"), "investigating"),
  components: components.flatMap(({ key }): { component: Key; state: OperatorState }[] => {
    const found = operatorStates.find((value) => value === textField(form, `component:${key}`));
    return found ? [{ component: key, state: found }] : [];
  }),
});
