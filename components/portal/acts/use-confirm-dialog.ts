"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAnnounce } from "./announcer.tsx";
import { type ErrorHandler, useAct } from "./use-act.tsx";

/**
 * State of an action that the person confirms in a dialog. If the action succeeds, the dialog closes and the page
 * refreshes.
 */
export const useConfirmDialog = (handleError?: ErrorHandler) => {
  const router = useRouter();
  const announce = useAnnounce();
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
    /** @param done a message that says what the action did, if the page no longer shows the changed object */
    run: (work: () => Promise<unknown>, done?: string) =>
      perform(async () => {
        await work();
        setIsOpen(false);
        if (done !== undefined) announce(done);
        router.refresh();
      }),
  };
};
