"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { AskDialog } from "../../portal/acts/ask-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textIn, useAct } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { PublicText } from "../incidents/incident-fields.tsx";

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
  isCancellable,
}: {
  maintenanceId: string;
  /** made for the next update: sent twice, it is told once */
  updateId: string;
  state: "scheduled" | "in_progress";
  isCancellable: boolean;
}) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [asked, setAsked] = useState<Act | null>(null);
  const [shown, setShown] = useState<Act>("update");
  const first: readonly Act[] = isCancellable ? ["start", "update", "cancel"] : ["start", "update"];
  const offered = state === "scheduled" ? first : (["complete", "update"] as const);
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
      <AskDialog
        isOpen={asked !== null}
        isBusy={isBusy}
        notice={notice}
        title={words.title}
        verb={words.button}
        leave={words.leave}
        variant={shown === "cancel" ? "danger" : "primary"}
        close={() => setAsked(null)}
        field={<PublicText />}
        act={(form) =>
          perform(async () => {
            await trpc.operatorMaintenance[shown].mutate({ maintenanceId, updateId, text: textIn(form, "text") });
            setAsked(null);
            router.refresh();
          })
        }
      >
        {words.effect}
      </AskDialog>
    </div>
  );
};
