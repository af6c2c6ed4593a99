"use client";
import type { ReactNode } from "react";
import { ReasonDialog } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import styles from "../portal/portal.module.css";
import { Button, type ButtonLook } from "../ui/button.tsx";
import { IfAllowed } from "./if-allowed.tsx";

type Props = {
  mandateId: string;
  clientName: string;
  /** whether operators suspended the mandate */
  isSuspended: boolean;
  email: string;
};

/** Suspends or resumes a live mandate, or revokes it. */
export const OperatorMandateActs = ({ isSuspended, ...mandate }: Props) => (
  <div className={styles.acts}>
    <IfAllowed action={isSuspended ? "granted_mandate.resume" : "granted_mandate.suspend"}>
      {isSuspended ? <ResumeMandate {...mandate} /> : <SuspendMandate {...mandate} />}
    </IfAllowed>
    <IfAllowed action="granted_mandate.revoke">
      <RevokeMandate {...mandate} />
    </IfAllowed>
  </div>
);

type ActProps = Omit<Props, "isSuspended">;

const SuspendMandate = ({ mandateId, clientName, email }: ActProps) => (
  <MandateAct
    label="Suspend"
    title={`Suspend this mandate of ${clientName}?`}
    confirmLabel="Suspend mandate"
    stepUp={{ email, verb: "Confirm and suspend" }}
    run={(reason) => trpc.operatorMandates.suspend.mutate({ mandateId, reason })}
  >
    New charges are refused immediately, until an operator lifts the suspension. The payer sees that Paygrant suspended
    the mandate, but not your reason.
  </MandateAct>
);

const ResumeMandate = ({ mandateId, clientName, email }: ActProps) => (
  <MandateAct
    label="Lift suspension"
    look="primary"
    title={`Lift the suspension of this mandate of ${clientName}?`}
    confirmLabel="Lift suspension"
    stepUp={{ email, verb: "Confirm and lift suspension" }}
    run={(reason) => trpc.operatorMandates.resume.mutate({ mandateId, reason })}
  >
    New charges are possible immediately, unless the payer suspended the mandate too.
  </MandateAct>
);

const RevokeMandate = ({ mandateId, clientName, email }: ActProps) => (
  <MandateAct
    label="Revoke"
    look="danger"
    title={`Revoke this mandate of ${clientName}?`}
    confirmLabel="Revoke mandate"
    stepUp={{ email, verb: "Confirm and revoke" }}
    run={(reason) => trpc.operatorMandates.revoke.mutate({ mandateId, reason })}
  >
    The mandate and its credential end permanently. Charges that were sent to a processor can still complete, and
    authorized charges can still be captured. The client would need the payer’s approval again.
  </MandateAct>
);

type MandateActProps = {
  label: string;
  look?: "primary" | "danger";
  title: string;
  confirmLabel: string;
  stepUp: { email: string; verb: string };
  run: (reason: string) => Promise<unknown>;
  children: ReactNode;
};

const MandateAct = ({ label, look, title, confirmLabel, stepUp: { email, verb }, run, children }: MandateActProps) => {
  const stepUp = useStepUp(email, verb);
  const confirmation = useConfirmDialog(stepUp.handleError);
  const variant: ButtonLook["variant"] = look === "danger" ? "dangerSolid" : "primary";
  return (
    <>
      <Button size="small" variant={look ?? "plain"} onClick={confirmation.open}>
        {label}
      </Button>
      <ReasonDialog
        {...confirmation.dialog}
        stepUp={stepUp.dialog}
        variant={variant}
        title={title}
        confirmLabel={confirmLabel}
        onConfirm={(reason) => confirmation.run(() => run(reason))}
      >
        {children}
      </ReasonDialog>
    </>
  );
};
