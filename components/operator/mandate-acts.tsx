"use client";
import { ReasonDialog } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useQuestion } from "../portal/acts/use-question.ts";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import styles from "../portal/portal.module.css";
import { Button } from "../ui/button.tsx";

type Props = { mandateId: string; clientName: string; isSuspended: boolean; email: string };

/** Suspends a live mandate or lifts that, and ends it. @param isSuspended by operators */
export const MandateActs = ({ isSuspended, ...mandate }: Props) => (
  <div className={styles.acts}>
    {isSuspended ? <LiftMandate {...mandate} /> : <SuspendMandate {...mandate} />}
    <RevokeMandate {...mandate} />
  </div>
);

type ActProps = Omit<Props, "isSuspended">;

const SuspendMandate = ({ mandateId, clientName, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and suspend");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  return (
    <>
      <Button size="small" onClick={ask}>
        Suspend
      </Button>
      <ReasonDialog
        {...question}
        stepUp={stepUp.dialog}
        title={`Suspend this mandate of ${clientName}?`}
        verb="Suspend it"
        act={(reason) => answer(() => trpc.operatorMandates.suspend.mutate({ mandateId, reason }))}
      >
        Nothing new is charged under it from the next request on, until operators lift it. The payer sees that Paygrant
        paused it, without your reason.
      </ReasonDialog>
    </>
  );
};

const LiftMandate = ({ mandateId, clientName, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and lift");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  return (
    <>
      <Button size="small" variant="primary" onClick={ask}>
        Lift the suspension
      </Button>
      <ReasonDialog
        {...question}
        stepUp={stepUp.dialog}
        title={`Lift the suspension of this mandate of ${clientName}?`}
        verb="Lift it"
        act={(reason) => answer(() => trpc.operatorMandates.resume.mutate({ mandateId, reason }))}
      >
        It can be charged again at once, unless the payer paused it too.
      </ReasonDialog>
    </>
  );
};

const RevokeMandate = ({ mandateId, clientName, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and revoke");
  const { ask, question, answer } = useQuestion(stepUp.asks);
  return (
    <>
      <Button size="small" variant="danger" onClick={ask}>
        Revoke
      </Button>
      <ReasonDialog
        {...question}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Revoke this mandate of ${clientName}?`}
        verb="Revoke it"
        act={(reason) => answer(() => trpc.operatorMandates.revoke.mutate({ mandateId, reason }))}
      >
        It ends for good, and so does its credential. What was sent to a processor settles, and what is authorised may
        be captured; the payer would have to be asked anew.
      </ReasonDialog>
    </>
  );
};
