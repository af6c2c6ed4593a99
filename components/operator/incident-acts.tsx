"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OperatorIncidentDetail } from "#server/trpc/operator-status-views.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { ComponentFields, ImpactSelect, PublicText, readIncident, StateSelect } from "./incident-fields.tsx";
import styles from "./operator.module.css";
import { sent, textIn, useAct } from "./use-act.tsx";

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
  const update = useAct();
  const resolve = useAct();
  const [isAsked, setIsAsked] = useState(false);
  const { id: incidentId } = incident;
  return (
    <>
      <form
        className={`card ${styles.form} ${styles.box}`}
        onSubmit={(event) => {
          const form = sent(event);
          return update.perform(async () => {
            const { title: _, ...said } = readIncident(form, incident.said);
            await trpc.operatorStatus.updateIncident.mutate({ incidentId, updateId, ...said });
            router.refresh();
          });
        }}
      >
        <div className={styles.pair}>
          <StateSelect state={state} />
          <ImpactSelect impact={incident.impact} />
        </div>
        <PublicText />
        <ComponentFields components={incident.said} />
        {update.notice}
        <div className={styles.acts}>
          <SubmitButton variant="primary" aria-busy={update.isBusy || undefined}>
            Post update
          </SubmitButton>
          <Button onClick={() => setIsAsked(true)}>Resolve</Button>
        </div>
      </form>
      <AskDialog
        {...{ isOpen: isAsked, isBusy: resolve.isBusy, notice: resolve.notice }}
        title="Resolve this incident?"
        verb="Resolve"
        leave="Not yet"
        close={() => setIsAsked(false)}
        field={<PublicText label="How it ended" />}
        act={(form) =>
          resolve.perform(async () => {
            await trpc.operatorStatus.resolveIncident.mutate({ incidentId, updateId, text: textIn(form, "text") });
            setIsAsked(false);
            router.refresh();
          })
        }
      >
        Everybody is told that it is over. What you said of its components ends; what is measured holds again. It takes
        no further update.
        {incident.impact === "critical" ? " A postmortem is due within five working days." : null}
      </AskDialog>
    </>
  );
};
