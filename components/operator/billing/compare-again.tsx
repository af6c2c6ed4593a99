"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Repeats the comparison of a day that had a difference. */
export const CompareAgain = ({ day, label }: { day: string; label: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" aria-label={`Compare ${label} again`} onClick={open}>
        Compare again
      </Button>
      <ReasonDialog
        {...dialog}
        title={`Compare ${label} again?`}
        confirmLabel="Compare"
        onConfirm={(reason) => run(() => trpc.operatorReconciliation.compareAgain.mutate({ day, reason }))}
      >
        All meters of this day are compared with their sources again. Correct the difference first. An invoice that
        waits for this comparison is issued when all its meters match on every day of its period.
      </ReasonDialog>
    </>
  );
};
