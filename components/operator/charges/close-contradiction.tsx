"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** Says what came of it, which stands in the audit log with the operator's name. No money moves by that. */
export const CloseContradiction = ({ contradictionId, email }: { contradictionId: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and close it");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  return (
    <>
      <Button size="small" onClick={ask}>
        Close it
      </Button>
      <ReasonDialog
        {...question}
        stepUp={stepUp.dialog}
        title="Close this contradiction?"
        label="What came of it"
        verb="Close it"
        leave="Leave it open"
        act={(reason) => answer(() => trpc.operator.closeContradiction.mutate({ contradictionId, reason }))}
      >
        Nothing is booked and no money moves by it. See first that the money is where it belongs: give it back in the
        processor’s books, or come to terms with the merchant.
      </ReasonDialog>
    </>
  );
};
