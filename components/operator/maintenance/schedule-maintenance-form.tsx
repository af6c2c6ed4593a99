"use client";
import { useRouter } from "next/navigation";
import type { ComponentChoice } from "#server/trpc/operator/operator-status-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { ButtonLink } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field/field.tsx";
import { PublicMessageField, TitleField } from "../incidents/incident-fields.tsx";
import { OperatorForm } from "../operator-form.tsx";

/** The RFC 3339 time of a form field's value, such as `2026-11-21T14:30`. All times of this form are in UTC. */
const utc = (local: string): string => `${local.slice(0, 16)}:00Z`;

type ScheduleMaintenanceFormProps = {
  /** created with the form, so that submitting it twice announces one maintenance window */
  ids: { maintenanceId: string; updateId: string };
  components: readonly ComponentChoice[];
  /** initial values of the fields, as `2026-11-21T14:30` in UTC */
  window: { from: string; to: string };
};

export const ScheduleMaintenanceForm = ({ ids, components, window }: ScheduleMaintenanceFormProps) => {
  const router = useRouter();
  const { isBusy, problem, notice, perform } = useAct();
  const errors = problem?.fields ?? {};
  const pointers = Object.keys(errors);
  const isBesideField = pointers.length > 0 && pointers.every((pointer) => pointer === "/from" || pointer === "/to");
  const schedule = (form: FormData) =>
    perform(async () => {
      await trpc.operatorMaintenance.schedule.mutate({
        ...ids,
        title: textField(form, "title"),
        text: textField(form, "text"),
        from: utc(textField(form, "from")),
        to: utc(textField(form, "to")),
        components: components.flatMap(({ key }) => (form.getAll("component").includes(key) ? [key] : [])),
      });
      router.push(`/operator/maintenance/${ids.maintenanceId}`);
    });
  return (
    <OperatorForm
      isBusy={isBusy}
      notice={isBesideField ? null : notice}
      submitLabel="Announce maintenance"
      secondButton={
        <ButtonLink href="/operator/maintenance" variant="quiet">
          Cancel
        </ButtonLink>
      }
      onSubmit={schedule}
    >
      <TitleField />
      <WindowFields window={window} errors={errors} />
      <ComponentChoices components={components} />
      <PublicMessageField />
    </OperatorForm>
  );
};

type WindowFieldsProps = Pick<ScheduleMaintenanceFormProps, "window"> & { errors: Readonly<Record<string, string>> };

const WindowFields = ({ window, errors }: WindowFieldsProps) => (
  <div className={styles.pair}>
    <Field
      label="Starts (UTC)"
      name="from"
      type="datetime-local"
      required
      defaultValue={window.from}
      error={errors["/from"] ?? null}
    />
    <Field
      label="Ends (UTC)"
      name="to"
      type="datetime-local"
      required
      defaultValue={window.to}
      error={errors["/to"] ?? null}
    />
  </div>
);

const ComponentChoices = ({ components }: Pick<ScheduleMaintenanceFormProps, "components">) => (
  <fieldset className={styles.group}>
    <legend>Components</legend>
    <div className={`${styles.pair} ${styles.choices}`}>
      {components.map(({ key, name }) => (
        <Choice key={key} type="checkbox" name="component" value={key}>
          {name}
        </Choice>
      ))}
    </div>
  </fieldset>
);
