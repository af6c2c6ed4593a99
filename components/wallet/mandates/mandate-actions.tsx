"use client";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./mandate-actions.module.css";
import { StopMandate, type StoppableMandate } from "./stop-mandate.tsx";

/** Pause, resume and stop. */
export const MandateActions = ({
  mandate,
  children,
}: {
  mandate: StoppableMandate & { isPaused: boolean };
  children?: ReactNode;
}) => {
  const router = useRouter();
  const act = useAct();
  const perform = (action: "pause" | "resume") =>
    act.perform(async () => {
      await trpc.wallet[action].mutate({ mandateId: mandate.id });
      router.refresh();
    });
  return (
    <div className={styles.acts}>
      {mandate.isPaused ? (
        <Button size="small" variant="primary" isBusy={act.isBusy} onClick={() => perform("resume")}>
          Resume
        </Button>
      ) : (
        <Button size="small" isBusy={act.isBusy} onClick={() => perform("pause")}>
          Pause
        </Button>
      )}
      {children}
      <StopMandate mandate={mandate} />
      {act.notice ? <div className={styles.live}>{act.notice}</div> : null}
    </div>
  );
};
