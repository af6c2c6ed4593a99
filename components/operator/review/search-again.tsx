"use client";
import { useState } from "react";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

type Props = {
  /** the object that is settled if the processor reports the outcome */
  noun: "charge" | "payment";
  email: string;
  /** Asks the processor. @returns a text if the outcome is still unknown. */
  search: (reason: string) => Promise<string | null>;
};

/** Asks the processor for an unknown outcome again, with a reason for the audit log. */
export const SearchAgain = ({ noun, email, search }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [unknown, setUnknown] = useState<string | null>(null);
  const openAgain = () => {
    setUnknown(null);
    open();
  };
  return (
    <>
      <Button onClick={openAgain}>Look up again</Button>
      {unknown ? (
        <div className={styles.live}>
          <Notice tone="note" isLive>
            {unknown}
          </Notice>
        </div>
      ) : null}
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title="Look up the outcome again?"
        confirmLabel="Look up"
        onConfirm={(reason) => run(async () => setUnknown(await search(reason)))}
      >
        We ask the processor again. If the processor knows the outcome, the {noun} is settled immediately.
      </ReasonDialog>
    </>
  );
};
