"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { merchantId: string; planName: string; nextPlanName: string; email: string };

export const WithdrawPlanChange = ({ merchantId, planName, nextPlanName, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and withdraw");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <IfAllowed action="merchant_billing.assign_plan">
      <Button size="small" onClick={open}>
        Withdraw change
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Withdraw the change to ${nextPlanName}?`}
        confirmLabel="Withdraw change"
        cancelLabel="Keep change"
        onConfirm={(reason) => run(() => trpc.operatorMerchantBilling.withdrawChange.mutate({ merchantId, reason }))}
      >
        {planName} continues in the next period.
      </ReasonDialog>
    </IfAllowed>
  );
};
