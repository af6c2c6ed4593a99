"use client";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./mandate-actions.module.css";
import { StopMandate } from "./stop-mandate.tsx";
import type { StoppableMandate } from "./stoppable.ts";

/** Pause, resume and stop. Pause needs no confirmation, because Resume undoes it. */
export const MandateActions = ({
  mandate,
  children,
}: {
  mandate: StoppableMandate & { isPaused: boolean };
  children?: ReactNode;
}) => (
  <div className={styles.acts}>
    <PauseMandate mandateId={mandate.id} isPaused={mandate.isPaused}>
      {children}
      <StopMandate mandate={mandate} />
    </PauseMandate>
  </div>
);

/** One button that pauses or resumes, and an error below it. @param children other buttons next to it */
export const PauseMandate = ({
  mandateId,
  isPaused,
  label,
  children,
}: {
  mandateId: string;
  isPaused: boolean;
  /** instead of `Pause` */
  label?: string;
  children?: ReactNode;
}) => {
  const t = useTranslations("mandates.acts");
  const router = useRouter();
  const act = useAct();
  const perform = () =>
    act.perform(async () => {
      try {
        await trpc.wallet[isPaused ? "resume" : "pause"].mutate({ mandateId });
      } finally {
        // A refusal means that the mandate was changed elsewhere, for example in another tab.
        router.refresh();
      }
    });
  return (
    <>
      <Button size="small" isBusy={act.isBusy} onClick={perform}>
        {isPaused ? t("resume") : (label ?? t("pause"))}
      </Button>
      {children}
      {act.notice ? <div className={styles.live}>{act.notice}</div> : null}
    </>
  );
};
