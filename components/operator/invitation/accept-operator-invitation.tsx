"use client";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "../second-factor/second-factor.module.css";
import { acceptSignedIn } from "./send-invitation.ts";

/** The signed-in person accepts the invitation. */
export const AcceptOperatorInvitation = ({ token, isReset }: { token: string; isReset: boolean }) => {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const accept = async () => {
    setIsBusy(true);
    setProblem(null);
    const result = await acceptSignedIn(token);
    if (result.kind === "accepted") return window.location.assign(result.returnTo);
    setProblem(result.message);
    setIsBusy(false);
  };
  return (
    <div className={styles.part}>
      {problem ? (
        <Notice tone="bad" isLive>
          {problem}
        </Notice>
      ) : null}
      <Button variant="primary" isWide isBusy={isBusy} onClick={accept}>
        {isReset ? "Reset my second factor" : "Accept invitation"}
      </Button>
    </div>
  );
};
