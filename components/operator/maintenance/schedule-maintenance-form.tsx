"use client";
import { useRouter } from "next/navigation";
import type { ComponentChoice } from "#server/trpc/operator/operator-status-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textIn, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { ButtonLink } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { ActForm } from "../act-form.tsx";
import { PublicText, TitleField } from "../incidents/incident-fields.tsx";

/** `2026-11-21T14:30` of a form, which means UTC here, as everything on the status page. */
const utc = (local: string): string => `${local.slice(0, 16)}:00Z`;

/** @param ids made for this form: sent twice, it announces one maintenance. */
export const ScheduleMaintenanceForm = ({
  ids,
  components,
  window,
}: {
  ids: { maintenanceId: string; updateId: string };
  components: readonly ComponentChoice[];
  /** what the fields begin with, as `2026-11-21T14:30` in UTC */
  window: { from: string; to: string };
}) => {
  const router = useRouter();
  const { isBusy, problem, notice, perform } = useAct();
  const fields = problem?.fields ?? {};
  const wrong = Object.keys(fields);
  const isBesideField = wrong.length > 0 && wrong.every((pointer) => pointer === "/from" || pointer === "/to");
  return (
    <ActForm
      isBusy={isBusy}
      notice={isBesideField ? null : notice}
      verb="Announce it"
      beside={
        <ButtonLink href="/operator/maintenance" variant="quiet">
          Cancel
        </ButtonLink>
      }
      act={(form) =>
        perform(async () => {
          await trpc.operatorMaintenance.schedule.mutate({
            ...ids,
            title: textIn(form, "title"),
            text: textIn(form, "text"),
            from: utc(textIn(form, "from")),
            to: utc(textIn(form, "to")),
            components: components.flatMap(({ key }) => (form.getAll("component").includes(key) ? [key] : [])),
          });
          router.push(`/operator/maintenance/${ids.maintenanceId}`);
        })
      }
    >
      <TitleField />
      <div className={styles.pair}>
        <Field
          label="Begins (UTC)"
          name="from"
          type="datetime-local"
          required
          defaultValue={window.from}
          error={fields["/from"] ?? null}
        />
        <Field
          label="Ends (UTC)"
          name="to"
          type="datetime-local"
          required
          defaultValue={window.to}
          error={fields["/to"] ?? null}
        />
      </div>
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
      <PublicText />
    </ActForm>
  );
};
