"use client";
import { useRouter } from "next/navigation";
import { type MouseEvent, useState } from "react";
import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { OperatorForm } from "../operator-form.tsx";
import { ComponentFields, ImpactSelect, PublicMessageField, readIncident, StateSelect } from "./incident-fields.tsx";

type UpdateState = ReturnType<typeof readIncident>["state"];

/** Posts an update of a public incident, or resolves it. */
export const IncidentActs = ({
  incident,
  state,
  updateId,
}: {
  incident: OperatorIncidentDetail;
  state: UpdateState;
  /** created with the form, so that submitting it twice posts one update */
  updateId: string;
}) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const { open, dialog, run } = useConfirmDialog();
  const { id: incidentId } = incident;
  const [text, setText] = useState("");
  /** The dialog for the last update starts with the text that was typed into the update form. */
  const openWithText = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    setText(form ? textField(new FormData(form), "text") : "");
    open();
  };
  return (
    <>
      <OperatorForm
        isBusy={isBusy}
        notice={notice}
        submitLabel="Post update"
        secondButton={<Button onClick={openWithText}>Resolve</Button>}
        onSubmit={(form) =>
          perform(async () => {
            const { title: _, ...update } = readIncident(form, incident.operatorStates);
            await trpc.operatorStatus.updateIncident.mutate({ incidentId, updateId, ...update });
            router.refresh();
          })
        }
      >
        <div className={styles.pair}>
          <StateSelect state={state} />
          <ImpactSelect impact={incident.impact} />
        </div>
        <PublicMessageField />
        <ComponentFields components={incident.operatorStates} />
      </OperatorForm>
      <ConfirmDialog
        {...dialog}
        title="Resolve this incident?"
        confirmLabel="Resolve"
        fields={<PublicMessageField label="How it was resolved" initial={text} />}
        onConfirm={(form) =>
          run(() => trpc.operatorStatus.resolveIncident.mutate({ incidentId, updateId, text: textField(form, "text") }))
        }
      >
        Subscribers are notified that the incident is resolved. The component states that you set are removed: the
        status page shows the measured states again. You can’t post more updates.
        {incident.impact === "critical" ? " A postmortem is due within five working days." : null}
      </ConfirmDialog>
    </>
  );
};
