"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { StepUpDialog } from "../../portal/acts/step-up-dialog.tsx";
import { messageOf, reasonOf, trpc } from "../../portal/acts/trpc-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./approval-card.module.css";

/** Approve and Decline, side by side and alike. What was decided elsewhere meanwhile is told, and the page follows. */
export const ApprovalActions = ({
  chargeId,
  email,
  mayApprove,
}: {
  chargeId: string;
  email: string;
  mayApprove: boolean;
}) => {
  const router = useRouter();
  const [busy, setBusy] = useState<"approve" | "decline" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isProving, setIsProving] = useState(false);

  const perform = async (act: "approve" | "decline") => {
    setBusy(act);
    setProblem(null);
    try {
      await trpc.wallet[act].mutate({ chargeId });
      setIsProving(false);
    } catch (error) {
      if (reasonOf(error) === "proof_too_old") return setIsProving(true);
      setIsProving(false);
      setProblem(messageOf(error));
    } finally {
      setBusy(null);
    }
    router.refresh();
  };

  return (
    <>
      {problem ? (
        <Notice tone="bad" isLive>
          {problem}
        </Notice>
      ) : null}
      <div className={styles.acts}>
        <Button isWide disabled={busy === "approve"} isBusy={busy === "decline"} onClick={() => perform("decline")}>
          Decline
        </Button>
        <Button
          isWide
          variant="primary"
          disabled={!mayApprove || busy === "decline"}
          isBusy={busy === "approve"}
          onClick={() => perform("approve")}
        >
          Approve
        </Button>
      </div>
      <StepUpDialog
        isOpen={isProving}
        onOpenChange={setIsProving}
        email={email}
        verb="Confirm and approve"
        onProven={() => perform("approve")}
      />
    </>
  );
};
