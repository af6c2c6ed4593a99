"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { Button } from "../../ui/button.tsx";

/** Sends mail again that was given up. */
export const RetryMail = ({ mailId }: { mailId: string }) => {
  const { ask, question, answer } = useQuestion();
  return (
    <>
      <Button onClick={ask}>Send it again</Button>
      <ReasonDialog
        {...question}
        title="Send this mail again?"
        verb="Send it again"
        act={(reason) => answer(() => trpc.operator.retryMail.mutate({ mailId, reason }))}
      >
        It is tried within seconds, and for two days where that fails. A reader’s mail program sees it as one with what
        arrived before.
      </ReasonDialog>
    </>
  );
};
