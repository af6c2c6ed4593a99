"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Retries a failed run. */
export const RetryJob = ({ runId, name }: { runId: string; name: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" aria-label={`Retry ${name}`} onClick={open}>
        Retry
      </Button>
      <ReasonDialog
        {...dialog}
        title={`Retry ${name}?`}
        confirmLabel="Retry"
        onConfirm={(reason) => run(() => trpc.operatorService.retryJob.mutate({ runId, reason }))}
      >
        A worker runs the job again within 30 seconds. A retry is safe: work that is already done isn’t done again.
      </ReasonDialog>
    </>
  );
};
