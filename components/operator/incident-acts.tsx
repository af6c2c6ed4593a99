"use client";
import { useRouter } from "next/navigation";
import { type MouseEvent, useState } from "react";
import type { OperatorIncidentDetail } from "#server/trpc/operator-status-views.ts";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ActForm } from "./act-form.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { ComponentFields, ImpactSelect, PublicText, readIncident, StateSelect } from "./incident-fields.tsx";
import styles from "./operator.module.css";
import { textIn, useAct } from "./use-act.tsx";
import { useQuestion } from "./use-question.ts";

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
        {...{ isBusy, notice }}
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
