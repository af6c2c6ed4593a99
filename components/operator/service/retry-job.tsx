"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { Button } from "../../ui/button.tsx";

/** Makes a failed run again. */
export const RetryJob = ({ runId, name }: { runId: string; name: string }) => {
  const { ask, question, answer } = useQuestion();
  return (
    <>
      <Button size="small" aria-label={`Retry ${name}`} onClick={ask}>
        Retry
      </Button>
      <ReasonDialog
        {...question}
        title={`Retry ${name}?`}
        verb="Retry it"
        act={(reason) => answer(() => trpc.operatorService.retryJob.mutate({ runId, reason }))}
      >
        A worker makes this run again within half a minute. Doing a job twice changes nothing more than doing it once.
      </ReasonDialog>
    </>
  );
};
