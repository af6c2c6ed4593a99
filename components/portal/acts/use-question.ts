"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "./use-act.tsx";

/** An act that a dialog asks about first. Done, the dialog closes and the page shows what is now. @param asks as for `useAct` */
export const useQuestion = (asks?: Parameters<typeof useAct>[0]) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct(asks);
  const [isOpen, setIsOpen] = useState(false);
  const show = (open: boolean) => {
    clear();
    setIsOpen(open);
  };
  return {
    ask: () => show(true),
    /** of the dialog */
    question: { isOpen, isBusy, notice, close: () => show(false) },
    answer: (work: () => Promise<unknown>) =>
      perform(async () => {
        await work();
        setIsOpen(false);
        router.refresh();
      }),
  };
};
