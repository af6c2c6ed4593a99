"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OperatorIncidentDetail } from "#server/trpc/operator-status-views.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { AskDialog } from "./ask-dialog.tsx";
import {
  ComponentFields,
  ImpactSelect,
  PublicText,
  readIncident,
  StateSelect,
  TitleField,
} from "./incident-fields.tsx";
import styles from "./operator.module.css";
import { sent, textIn, useAct } from "./use-act.tsx";

/** What probes found: an operator tells everybody, or says that it is nothing. */
export const DraftActs = ({ incident, updateId }: { incident: OperatorIncidentDetail; updateId: string }) => {
  const router = useRouter();
  const confirm = useAct();
  const dismiss = useAct();
  const [isAsked, setIsAsked] = useState(false);
  const { id: incidentId } = incident;
  return (
    <>
      <form
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => {
          const form = sent(event);
          return confirm.perform(async () => {
            const said = readIncident(form, incident.said);
            await trpc.operatorStatus.confirmIncident.mutate({ incidentId, updateId, ...said });
            router.refresh();
          });
        }}
      >
        <TitleField title={incident.title} />
        <div className={styles.pair}>
          <ImpactSelect impact={incident.impact} />
          <StateSelect state="investigating" />
        </div>
        <PublicText />
        <ComponentFields components={incident.said} />
        {confirm.notice}
        <div className={styles.acts}>
          <SubmitButton variant="primary" aria-busy={confirm.isBusy || undefined}>
            Confirm and publish
          </SubmitButton>
          <Button onClick={() => setIsAsked(true)}>Dismiss it</Button>
        </div>
      </form>
      <AskDialog
        {...{ isOpen: isAsked, isBusy: dismiss.isBusy, notice: dismiss.notice }}
        title="Dismiss this draft?"
        verb="Dismiss it"
        leave="Keep it"
        variant="danger"
        close={() => setIsAsked(false)}
        field={
          <TextArea
            label="Why"
            name="text"
            required
            minLength={3}
            maxLength={4_000}
            hint="Kept here and in the audit log."
          />
        }
        act={(form) =>
          dismiss.perform(async () => {
            await trpc.operatorStatus.dismissIncident.mutate({ incidentId, updateId, text: textIn(form, "text") });
            setIsAsked(false);
            router.refresh();
          })
        }
      >
        Nobody will be told of it. What was measured stays in the uptime.
      </AskDialog>
    </>
  );
};
