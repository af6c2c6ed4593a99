"use client";
import { type ReactNode, useState } from "react";
import { StepUpDialog } from "./step-up-dialog.tsx";
import { reasonOf } from "./trpc-client.ts";
import type { ErrorHandler } from "./use-act.tsx";

type StepUp = {
  /** Handles `proof_too_old` errors: opens the dialog, and retries the action once the person has confirmed. */
  handleError: ErrorHandler;
  /**
   * Render this dialog next to the action's form. If the form is in a dialog, render it inside that dialog, so that the
   * focus returns to it.
   */
  dialog: ReactNode;
};

/**
 * Asks for a recent authentication if an action needs one.
 * @param confirmLabel label of the confirm button, for example `Confirm and add`
 */
export const useStepUp = (email: string, confirmLabel: string): StepUp => {
  const [pending, setPending] = useState<{ retry: () => Promise<void> } | null>(null);
  const onProven = async () => {
    setPending(null);
    await pending?.retry();
  };
  return {
    handleError: (error, retry) => {
      if (reasonOf(error) !== "proof_too_old") return false;
      setPending({ retry });
      return true;
    },
    dialog: (
      <StepUpDialog
        isOpen={pending !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setPending(null))}
        email={email}
        confirmLabel={confirmLabel}
        onProven={onProven}
      />
    ),
  };
};
