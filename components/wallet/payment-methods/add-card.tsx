"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { useFinish } from "../../portal/forms/use-finish.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./payment-methods.module.css";

/** Opens the processor's page on which the payer enters a card. */
export const AddCard = ({ email }: { email: string }) => {
  const t = useTranslations("payment-methods");
  const stepUp = useStepUp(email, t("confirmAndContinue"));
  const act = useAct(stepUp.handleError);
  const add = () =>
    act.perform(async () => {
      const { pageUrl } = await trpc.wallet.addCard.mutate();
      await openPage(pageUrl);
    });
  return (
    <div className={styles.add}>
      <Button size="small" variant="primary" isBusy={act.isBusy} onClick={add}>
        {t("addAtStripe")}
      </Button>
      {act.notice}
      {stepUp.dialog}
    </div>
  );
};

/** Finishes the setup after the return from the processor's page, and shows the result. */
export const FinishCard = ({ setupId }: { setupId: string }) => {
  const t = useTranslations("payment-methods");
  const { result, notice } = useFinish(setupId, () => trpc.wallet.finishCard.mutate({ setupId }));
  if (notice) return notice;
  if (!result) return <LiveNotice tone="note">{t("cardChecking")}</LiveNotice>;
  if (result.state === "added") return <LiveNotice tone="good">{t("cardAdded", { label: result.label })}</LiveNotice>;
  return result.state === "open" ? (
    <LiveNotice tone="note">{t("cardOpen")}</LiveNotice>
  ) : (
    <LiveNotice tone="warn">{t("cardEnded")}</LiveNotice>
  );
};

const LiveNotice = ({ tone, children }: { tone: "good" | "note" | "warn"; children: ReactNode }) => (
  <Notice tone={tone} isLive>
    {children}
  </Notice>
);
