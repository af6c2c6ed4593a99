"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { reasonOf, trpc } from "../../../portal/acts/trpc-client.ts";
import { useAct } from "../../../portal/acts/use-act.tsx";
import styles from "../../../portal/portal.module.css";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";

type Choice = { merchantId: string; planId: string; effective: "now" | "period_end"; hash: string };

/**
 * Makes the change that the preview shows. If the costs have changed since then, the page shows a new preview of the
 * same choice, and the member confirms again.
 */
export const ConfirmChange = ({ choice, label }: { choice: Choice; label: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const [outdated, setOutdated] = useState<string | null>(null);
  const confirm = () =>
    perform(async () => {
      try {
        await trpc.merchantPlans.change.mutate(choice);
        router.push(`/merchant/billing/plan?changed=${choice.effective}`);
      } catch (error) {
        if (reasonOf(error) !== "precondition_failed") throw error;
        setOutdated(choice.hash);
      }
      router.refresh();
    });
  return (
    <div className={styles.acts}>
      <Button variant="primary" isBusy={isBusy} onClick={confirm}>
        {label}
      </Button>
      <ButtonLink href="/merchant/billing/plan" variant="quiet">
        Back to all plans
      </ButtonLink>
      <div className={styles.live}>
        {notice}
        {outdated === null ? null : (
          <Notice tone="warn" isLive>
            Nothing was changed: the costs are different now, for example because of new usage. This page shows the new
            costs. Check them, and confirm again.
          </Notice>
        )}
      </div>
    </div>
  );
};
