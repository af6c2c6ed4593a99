"use client";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useQuestion } from "./use-question.ts";

/** Sends mail again that was given up. */
export const RetryMail = ({ mailId }: { mailId: string }) => {
  const { ask, question, answer } = useQuestion();
  return (
    <>
      <Button onClick={ask}>Send it again</Button>
      <ReasonDialog
        {...{ ...question, title: "Send this mail again?", verb: "Send it again" }}
        act={(reason) => answer(() => trpc.operator.retryMail.mutate({ mailId, reason }))}
      >
        It is tried within seconds, and for two days where that fails. A reader’s mail program sees it as one with what
        arrived before.
      </ReasonDialog>
    </>
  );
};
