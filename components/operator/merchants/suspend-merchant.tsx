"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; name: string; isSuspended: boolean; email: string };

/** Suspends a merchant or lifts the suspension, and says what that changes. */
export const SuspendMerchant = ({ merchantId, name, isSuspended, email }: Props) => {
  const stepUp = useStepUp(email, isSuspended ? "Confirm and lift suspension" : "Confirm and suspend");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const { suspend, resume } = trpc.operatorMerchants;
  return (
    <>
      <Button size="small" variant={isSuspended ? "primary" : "danger"} onClick={open}>
        {isSuspended ? "Lift suspension" : "Suspend"}
      </Button>
      {isSuspended ? (
        <ReasonDialog
          {...dialog}
          stepUp={stepUp.dialog}
          title={`Lift the suspension of ${name}?`}
          confirmLabel="Lift suspension"
          onConfirm={(reason) => run(() => resume.mutate({ merchantId, reason }))}
        >
          The suspension no longer stops new charges. They are still refused if an invoice wasn’t paid within the grace
          period, the plan has ended or the processor doesn’t accept charges. We e-mail the merchant’s owners and
          admins. The e-mail doesn’t contain your reason.
        </ReasonDialog>
      ) : (
        <ReasonDialog
          {...dialog}
          stepUp={stepUp.dialog}
          variant="dangerSolid"
          title={`Suspend ${name}?`}
          confirmLabel="Suspend merchant"
          onConfirm={(reason) => run(() => suspend.mutate({ merchantId, reason }))}
        >
          New charges are refused immediately, and payers can’t approve charges that are waiting. The merchant can still
          capture, void and refund earlier charges. We e-mail its owners and admins. The e-mail doesn’t contain your
          reason.
        </ReasonDialog>
      )}
    </>
  );
};
