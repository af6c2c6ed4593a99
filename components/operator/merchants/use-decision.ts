"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { reasonOf } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";

type Decision = {
  /** e-mail address of the operator */
  email: string;
  /** what the page shows, as a version or hash */
  shown: string;
  /** label of the button that confirms the operator's identity */
  verb: string;
  /** code of the error that reports that the data changed after the page was loaded */
  changedCode: string;
};

/**
 * The dialog of a decision. The decision applies to the version that the page showed when the dialog was opened
 * (`reviewed`). If the data has changed, the page behind the dialog is updated, and the operator must open the dialog
 * again to decide about the new version.
 */
export const useDecision = ({ email, shown, verb, changedCode }: Decision) => {
  const router = useRouter();
  const stepUp = useStepUp(email, verb);
  const [reviewed, setReviewed] = useState(shown);
  const act = useConfirmDialog((error, retry) => {
    if (reasonOf(error) === changedCode) router.refresh();
    return stepUp.handleError(error, retry);
  });
  return {
    reviewed,
    run: act.run,
    dialog: { ...act.dialog, stepUp: stepUp.dialog },
    open: () => {
      setReviewed(shown);
      act.open();
    },
  };
};
