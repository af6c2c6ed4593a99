"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { PublicText } from "./incident-fields.tsx";
import styles from "./operator.module.css";
import { sent, textIn, useAct } from "./use-act.tsx";

const acts = {
  start: {
    button: "Start now",
    title: "Start this maintenance?",
    effect: "Its components are in maintenance from now on. It begins by itself at the announced time otherwise.",
    leave: "Not yet",
  },
  complete: {
    button: "Complete",
    title: "Complete this maintenance?",
    effect: "What is measured of its components holds again. It ends by itself at the announced time otherwise.",
    leave: "Not yet",
  },
  cancel: {
    button: "Cancel it",
    title: "Cancel this maintenance?",
    effect: "Everybody is told that it won’t happen. It leaves no trace in the uptime. This can’t be undone.",
    leave: "Keep it",
  },
  update: {
    button: "Post update",
    title: "Tell more of it",
    effect: "Its state and its window stay as they are.",
    leave: "Not now",
  },
} as const;
type Act = keyof typeof acts;

/** What may come next of a maintenance, each with words for everybody. */
export const MaintenanceActs = ({
  maintenanceId,
  updateId,
  state,
}: {
  maintenanceId: string;
  /** made for the next update: sent twice, it is told once */
  updateId: string;
  state: "scheduled" | "in_progress";
}) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [asked, setAsked] = useState<Act | null>(null);
  const [shown, setShown] = useState<Act>("update");
  const offered: readonly Act[] = state === "scheduled" ? ["start", "update", "cancel"] : ["complete", "update"];
  const ask = (act: Act) => {
    clear();
    setShown(act);
    setAsked(act);
  };
  const words = acts[shown];
  return (
    <div className={styles.acts}>
      {offered.map((act, index) => (
        <Button
          key={act}
          variant={act === "cancel" ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => ask(act)}
        >
          {acts[act].button}
        </Button>
      ))}
      <Dialog isOpen={asked !== null} onOpenChange={(open) => (open ? null : setAsked(null))} title={words.title}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            const text = textIn(sent(event), "text");
            return perform(async () => {
              await trpc.operatorMaintenance[shown].mutate({ maintenanceId, updateId, text });
              setAsked(null);
              router.refresh();
            });
          }}
        >
          <p className="small">{words.effect}</p>
          <PublicText />
          {notice}
          <DialogActs>
            <Button onClick={() => setAsked(null)}>{words.leave}</Button>
            <SubmitButton variant={shown === "cancel" ? "danger" : "primary"} aria-busy={isBusy || undefined}>
              {words.button}
            </SubmitButton>
          </DialogActs>
        </form>
      </Dialog>
    </div>
  );
};
