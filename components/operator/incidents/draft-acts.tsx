"use client";
import { useRouter } from "next/navigation";
import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field/field.tsx";
import { OperatorForm } from "../operator-form.tsx";
import {
  ComponentFields,
  ImpactSelect,
  PublicMessageField,
  readIncident,
  StateSelect,
  TitleField,
} from "./incident-fields.tsx";

/** Publishes or dismisses a draft that probes created. */
export const DraftActs = ({ incident, updateId }: { incident: OperatorIncidentDetail; updateId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const { open, dialog, run } = useConfirmDialog();
  const { id: incidentId } = incident;
  return (
    <>
      <OperatorForm
        isBusy={isBusy}
        notice={notice}
        submitLabel="Confirm and publish"
        secondButton={<Button onClick={open}>Dismiss</Button>}
        onSubmit={(form) =>
          perform(async () => {
            const update = readIncident(form, incident.operatorStates);
            await trpc.operatorStatus.confirmIncident.mutate({ incidentId, updateId, ...update });
            router.refresh();
          })
        }
      >
        <TitleField title={incident.title} />
        <div className={styles.pair}>
          <ImpactSelect impact={incident.impact} />
          <StateSelect state="investigating" />
        </div>
        <PublicMessageField />
        <ComponentFields components={incident.operatorStates} />
      </OperatorForm>
      <ConfirmDialog
        {...dialog}
        title="Dismiss this draft?"
        confirmLabel="Dismiss draft"
        cancelLabel="Keep draft"
        variant="danger"
        fields={
          <TextArea
            label="Reason"
            name="text"
            required
            minLength={3}
            maxLength={4_000}
            hint="Kept here and in the audit log."
          />
        }
        onConfirm={(form) =>
          run(() => trpc.operatorStatus.dismissIncident.mutate({ incidentId, updateId, text: textField(form, "text") }))
        }
      >
        The draft is not published. The measurements still count toward the uptime.
      </ConfirmDialog>
    </>
  );
};
