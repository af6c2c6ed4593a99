"use client";
import { useRouter } from "next/navigation";
import { type MouseEvent, useState } from "react";
import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { AskDialog } from "../../portal/acts/ask-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textIn, useAct } from "../../portal/acts/use-act.tsx";
import { useQuestion } from "../../portal/acts/use-question.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { ActForm } from "../act-form.tsx";
import { ComponentFields, ImpactSelect, PublicText, readIncident, StateSelect } from "./incident-fields.tsx";

type ToldState = ReturnType<typeof readIncident>["state"];

/** The next update of an incident that is public, and its end. */
export const IncidentActs = ({
  incident,
  state,
  updateId,
}: {
  incident: OperatorIncidentDetail;
  state: ToldState;
  /** made for the next update: sent twice, it is told once */
  updateId: string;
}) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const { ask, question, answer } = useQuestion();
  const { id: incidentId } = incident;
  const [typed, setTyped] = useState("");
  /** What was written as an update goes on as the last one. */
  const askWithTyped = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    setTyped(form ? textIn(new FormData(form), "text") : "");
    ask();
  };
  return (
    <>
      <ActForm
        isBusy={isBusy}
        notice={notice}
        verb="Post update"
        beside={<Button onClick={askWithTyped}>Resolve</Button>}
        act={(form) =>
          perform(async () => {
            const { title: _, ...said } = readIncident(form, incident.said);
            await trpc.operatorStatus.updateIncident.mutate({ incidentId, updateId, ...said });
            router.refresh();
          })
        }
      >
        <div className={styles.pair}>
          <StateSelect state={state} />
          <ImpactSelect impact={incident.impact} />
        </div>
        <PublicText />
        <ComponentFields components={incident.said} />
      </ActForm>
      <AskDialog
        {...question}
        title="Resolve this incident?"
        verb="Resolve"
        leave="Not yet"
        field={<PublicText label="How it ended" typed={typed} />}
        act={(form) =>
          answer(() => trpc.operatorStatus.resolveIncident.mutate({ incidentId, updateId, text: textIn(form, "text") }))
        }
      >
        Everybody is told that it is over. What you said of its components ends; what is measured holds again. It takes
        no further update.
        {incident.impact === "critical" ? " A postmortem is due within five working days." : null}
      </AskDialog>
    </>
  );
};
