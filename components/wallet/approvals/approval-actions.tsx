"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./approval-card.module.css";

type Decision = "approve" | "decline";

/**
 * Approve and Decline, with equal widths. The page is refreshed after an error too, because the payment may have
 * changed.
 */
export const ApprovalActions = ({
  chargeId,
  email,
  canApprove,
}: {
  chargeId: string;
  email: string;
  canApprove: boolean;
}) => {
  const router = useRouter();
  const t = useTranslations("approvals");
  const stepUp = useStepUp(email, t("confirm"));
  const act = useAct(stepUp.handleError);
  const [decision, setDecision] = useState<Decision>("approve");
  const busy = act.isBusy ? decision : null;
  const decide = (next: Decision) => {
    setDecision(next);
    return act.perform(async () => {
      try {
        await trpc.wallet[next].mutate({ chargeId });
      } finally {
        router.refresh();
      }
    });
  };
  return (
    <>
      {act.notice}
      <div className={styles.acts}>
        <Button isWide disabled={busy === "approve"} isBusy={busy === "decline"} onClick={() => decide("decline")}>
          {t("decline")}
        </Button>
        <Button
          isWide
          variant={canApprove ? "primary" : "plain"}
          disabled={!canApprove || busy === "decline"}
          isBusy={busy === "approve"}
          onClick={() => decide("approve")}
        >
          {t("approve")}
        </Button>
      </div>
      {stepUp.dialog}
    </>
  );
};
