"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./account.module.css";

export const RequestExport = ({ email }: { email: string }) => {
  const t = useTranslations("privacy");
  const router = useRouter();
  const stepUp = useStepUp(email, t("confirmAndExport"));
  const { isBusy, notice, perform } = useAct(stepUp.handleError);
  const request = () =>
    perform(async () => {
      await trpc.privacy.requestExport.mutate();
      router.refresh();
    });
  return (
    <div className={styles.stack}>
      <Button isBusy={isBusy} onClick={request}>
        {t("requestExport")}
      </Button>
      {notice}
      {stepUp.dialog}
    </div>
  );
};

const refreshMilliseconds = 3_000;

/** Refreshes the page until the export is ready. */
export const PreparingExport = () => {
  const t = useTranslations("privacy");
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), refreshMilliseconds);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <span className="small muted" role="status">
      {t("preparing")}
    </span>
  );
};
