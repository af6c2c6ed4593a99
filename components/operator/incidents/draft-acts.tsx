"use client";
import { useRouter } from "next/navigation";
import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { AskDialog } from "../../portal/acts/ask-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textIn, useAct } from "../../portal/acts/use-act.tsx";
import { useQuestion } from "../../portal/acts/use-question.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ActForm } from "../act-form.tsx";
import {
  ComponentFields,
  ImpactSelect,
  PublicText,
  readIncident,
  StateSelect,
  TitleField,
} from "./incident-fields.tsx";

/** What probes found: an operator tells everybody, or says that it is nothing. */
export const DraftActs = ({ incident, updateId }: { incident: OperatorIncidentDetail; updateId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const { ask, question, answer } = useQuestion();
  const { id: incidentId } = incident;
  return (
    <>
      <ActForm
        isBusy={isBusy}
        notice={notice}
        verb="Confirm and publish"
        beside={<Button onClick={ask}>Dismiss it</Button>}
        act={(form) =>
          perform(async () => {
            const said = readIncident(form, incident.said);
            await trpc.operatorStatus.confirmIncident.mutate({ incidentId, updateId, ...said });
            router.refresh();
          })
        }
      >
        <TitleField title={incident.title} />
        <div className={styles.pair}>
          <ImpactSelect impact={incident.impact} />
          <StateSelect state="investigating" />
        </div>
        <PublicText />
        <ComponentFields components={incident.said} />
      </ActForm>
      <AskDialog
        {...question}
        title="Dismiss this draft?"
        verb="Dismiss it"
        leave="Keep it"
        variant="danger"
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
          answer(() => trpc.operatorStatus.dismissIncident.mutate({ incidentId, updateId, text: textIn(form, "text") }))
        }
      >
        Nobody will be told of it. What was measured stays in the uptime.
      </AskDialog>
    </>
  );
};
