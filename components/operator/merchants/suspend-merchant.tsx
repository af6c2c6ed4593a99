"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; name: string; isSuspended: boolean; email: string };

/** Suspends a merchant, or lifts that; says first what it stops and what it doesn't. */
export const SuspendMerchant = ({ merchantId, name, isSuspended, email }: Props) => {
  const stepUp = useStepUp(email, isSuspended ? "Confirm and lift" : "Confirm and suspend");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  const { suspend, resume } = trpc.operatorMerchants;
  return (
    <>
      <Button size="small" variant={isSuspended ? "primary" : "danger"} onClick={ask}>
        {isSuspended ? "Lift the suspension" : "Suspend"}
      </Button>
      {isSuspended ? (
        <ReasonDialog
          {...question}
          stepUp={stepUp.dialog}
          title={`Lift the suspension of ${name}?`}
          verb="Lift it"
          act={(reason) => answer(() => resume.mutate({ merchantId, reason }))}
        >
          It can take new charges again at once. Its owners and admins are told by mail, without your reason.
        </ReasonDialog>
      ) : (
        <ReasonDialog
          {...question}
          stepUp={stepUp.dialog}
          variant="dangerSolid"
          title={`Suspend ${name}?`}
          verb="Suspend it"
          act={(reason) => answer(() => suspend.mutate({ merchantId, reason }))}
        >
          New charges are refused from the next request on, and payers can’t approve those that wait. What was charged
          before can still be captured, voided and refunded. Its owners and admins are told by mail, without your
          reason.
        </ReasonDialog>
      )}
    </>
  );
};
