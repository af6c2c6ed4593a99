"use client";
import { useRouter } from "next/navigation";
import type { ComponentChoice } from "#server/trpc/operator/operator-status-views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { ButtonLink } from "../../ui/button.tsx";
import { Select } from "../../ui/field/field.tsx";
import { OperatorForm } from "../operator-form.tsx";
import {
  ComponentFields,
  ImpactSelect,
  PublicMessageField,
  readIncident,
  StateSelect,
  TitleField,
} from "./incident-fields.tsx";

const minutesAgo = [
  ...[0, 5, 15, 30].map((minutes) => ({ minutes, label: minutes === 0 ? "Just now" : `${minutes} minutes ago` })),
  ...[1, 2, 4, 8, 12].map((hours) => ({
    minutes: hours * 60,
    label: hours === 1 ? "1 hour ago" : `${hours} hours ago`,
  })),
];

/** @param ids created with the form, so that submitting it twice opens one incident. */
export const OpenIncidentForm = ({
  ids,
  components,
}: {
  ids: { incidentId: string; updateId: string };
  components: readonly ComponentChoice[];
}) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  return (
    <OperatorForm
      isBusy={isBusy}
      notice={notice}
      submitLabel="Open incident"
      secondButton={
        <ButtonLink href="/operator/incidents" variant="quiet">
          Cancel
        </ButtonLink>
      }
      onSubmit={(form) =>
        perform(async () => {
          const minutes = Number(textField(form, "began"));
          await trpc.operatorStatus.openIncident.mutate({
            ...ids,
            ...readIncident(form, components),
            startedAt: minutes > 0 ? new Date(Date.now() - minutes * 60_000).toISOString() : null,
          });
          router.push(`/operator/incidents/${ids.incidentId}`);
        })
      }
    >
      <TitleField />
      <div className={styles.pair}>
        <ImpactSelect impact="major" />
        <StateSelect state="investigating" />
        <Select label="Began" name="began" defaultValue="0">
          {minutesAgo.map(({ minutes, label }) => (
            <option key={minutes} value={minutes}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <PublicMessageField />
      <ComponentFields components={components} />
    </OperatorForm>
  );
};
