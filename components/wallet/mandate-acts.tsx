"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./mandate-acts.module.css";
import { messageOf, trpc } from "./trpc-client.ts";

export type ActingMandate = {
  id: string;
  clientName: string;
  isPaused: boolean;
  /** what payments under way hold, as money; null where nothing is */
  held: string | null;
};

type Act = "pause" | "resume" | "revoke";

/** Pause, resume and stop. Stopping can't be undone, so it asks first and says what stays in flight. */
export const MandateActs = ({ mandate, children }: { mandate: ActingMandate; children?: ReactNode }) => {
  const router = useRouter();
  const [busy, setBusy] = useState<Act | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const perform = async (act: Act) => {
    setBusy(act);
    setProblem(null);
    try {
      await trpc.wallet[act].mutate({ mandateId: mandate.id });
      setIsAsking(false);
      router.refresh();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(null);
    }
  };

  return (
    <div className={styles.acts}>
      {mandate.isPaused ? (
        <Button size="small" variant="primary" isBusy={busy === "resume"} onClick={() => perform("resume")}>
          Resume
        </Button>
      ) : (
        <Button size="small" isBusy={busy === "pause"} onClick={() => perform("pause")}>
          Pause
        </Button>
      )}
      {children}
      <span className={styles.stop}>
        <Button size="small" variant="danger" onClick={() => setIsAsking(true)}>
          Stop
        </Button>
      </span>
      {problem && !isAsking ? (
        <div className={styles.live}>
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        </div>
      ) : null}
      <Dialog isOpen={isAsking} onOpenChange={setIsAsking} title={`Stop ${mandate.clientName}?`}>
        <ul className={styles.list}>
          <li>From the next request on, nothing can be charged under this mandate.</li>
          <li>
            {mandate.held
              ? `${mandate.held} is held by payments under way. They may still complete, and you will see them under Activity.`
              : "No payment is under way. One that is authorised before you stop may still complete."}
          </li>
          <li>This can’t be undone. To pay for you again, {mandate.clientName} would have to ask you anew.</li>
        </ul>
        {problem ? (
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        ) : null}
        <DialogActs>
          <Button onClick={() => setIsAsking(false)}>Keep it</Button>
          <Button variant="dangerSolid" isBusy={busy === "revoke"} onClick={() => perform("revoke")}>
            Stop it
          </Button>
        </DialogActs>
      </Dialog>
    </div>
  );
};
