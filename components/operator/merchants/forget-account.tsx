"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; name: string; email: string };

/** If a merchant's account was disconnected, this allows the merchant to connect a new one. */
export const ForgetAccount = ({ merchantId, name, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" onClick={open}>
        Allow a new Stripe account
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Allow ${name} to connect a new Stripe account?`}
        confirmLabel="Allow a new Stripe account"
        onConfirm={(reason) => run(() => trpc.operatorMerchants.forgetAccount.mutate({ merchantId, reason }))}
      >
        We ask Stripe first. If the account is still disconnected, the merchant’s owners and admins can connect a new
        account. Earlier charges stay on the old account and can’t be refunded through Paygrant.
      </ReasonDialog>
    </>
  );
};
