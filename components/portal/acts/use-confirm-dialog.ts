"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type ErrorHandler, useAct } from "./use-act.tsx";

/**
 * State of an action that the person confirms in a dialog. If the action succeeds, the dialog closes and the page
 * refreshes.
 */
export const useConfirmDialog = (handleError?: ErrorHandler) => {
  const router = useRouter();
  const { isBusy, notice, problem, perform, showProblem } = useAct(handleError);
  const [isOpen, setIsOpen] = useState(false);
  const show = (isShown: boolean) => {
    showProblem(null);
    setIsOpen(isShown);
  };
  return {
    open: () => show(true),
    /** What went wrong. Forms show its messages next to their fields. */
    problem,
    /** Props of `ConfirmDialog` and `ReasonDialog`. */
    dialog: { isOpen, isBusy, notice, onClose: () => show(false) },
    run: (work: () => Promise<unknown>) =>
      perform(async () => {
        await work();
        setIsOpen(false);
        router.refresh();
      }),
  };
};
