"use client";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../../ui/button.tsx";

type Props = { merchantId: string; planName: string; nextPlanName: string };

export const WithdrawChange = ({ merchantId, planName, nextPlanName }: Props) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" onClick={open}>
        Withdraw change
      </Button>
      <ConfirmDialog
        {...dialog}
        title={`Withdraw the change to ${nextPlanName}?`}
        confirmLabel="Withdraw change"
        cancelLabel="Keep change"
        onConfirm={() => run(() => trpc.merchantPlans.withdraw.mutate({ merchantId }))}
      >
        {planName} continues in the next period. You can then change or end the plan again.
      </ConfirmDialog>
    </>
  );
};
