"use client";
import { useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { PublicMessageField } from "../incidents/incident-fields.tsx";

const acts = {
  start: {
    button: "Start now",
    title: "Start this maintenance?",
    effect:
      "The status page shows the affected components as under maintenance. If you don’t start the maintenance now, it starts automatically at the announced time.",
    cancelLabel: "Cancel",
  },
  complete: {
    button: "Complete",
    title: "Complete this maintenance?",
    effect:
      "The status page shows the measured states of the affected components again. If you don’t complete the maintenance now, it ends automatically at the announced time.",
    cancelLabel: "Cancel",
  },
  cancel: {
    button: "Cancel maintenance",
    title: "Cancel this maintenance?",
    effect:
      "Subscribers are notified that it won’t take place. Uptime is calculated as if this maintenance had not been planned. This can’t be undone.",
    cancelLabel: "Keep maintenance",
  },
  update: {
    button: "Post update",
    title: "Post an update?",
    effect: "The status and the times of the maintenance don’t change.",
    cancelLabel: "Cancel",
  },
} as const;
type Act = keyof typeof acts;

type MaintenanceActsProps = {
  maintenanceId: string;
  /** created with the page, so that submitting twice posts one update */
  updateId: string;
  state: "scheduled" | "in_progress";
  isCancellable: boolean;
};

const actsFor = ({ state, isCancellable }: Pick<MaintenanceActsProps, "state" | "isCancellable">): readonly Act[] => {
  if (state === "in_progress") return ["complete", "update"];
  return isCancellable ? ["start", "update", "cancel"] : ["start", "update"];
};

/** Starts, completes, cancels or updates a maintenance window. Each of these needs a public message. */
export const MaintenanceActs = ({ maintenanceId, updateId, ...maintenance }: MaintenanceActsProps) => {
  const { open, dialog, run } = useConfirmDialog();
  const [act, setAct] = useState<Act>("update");
  const openAct = (name: Act) => {
    setAct(name);
    open();
  };
  const { title, button, cancelLabel, effect } = acts[act];
  return (
    <div className={styles.acts}>
      {actsFor(maintenance).map((name, index) => (
        <Button
          key={name}
          variant={name === "cancel" ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => openAct(name)}
        >
          {acts[name].button}
        </Button>
      ))}
      <ConfirmDialog
        {...dialog}
        title={title}
        confirmLabel={button}
        cancelLabel={cancelLabel}
        variant={act === "cancel" ? "danger" : "primary"}
        fields={<PublicMessageField />}
        onConfirm={(form) =>
          run(() => trpc.operatorMaintenance[act].mutate({ maintenanceId, updateId, text: textField(form, "text") }))
        }
      >
        {effect}
      </ConfirmDialog>
    </div>
  );
};
