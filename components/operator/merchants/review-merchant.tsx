"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; name: string; review: "pending" | "declined"; email: string };

/** Approves or declines a new merchant. A declined one can be approved later. */
export const ReviewMerchant = ({ review, ...merchant }: Props) => (
  <>
    <ApproveMerchant {...merchant} />
    {review === "pending" ? <DeclineMerchant {...merchant} /> : null}
  </>
);

type ActProps = Omit<Props, "review">;

const ApproveMerchant = ({ merchantId, name, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and approve");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="primary" onClick={open}>
        Approve
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Approve ${name}?`}
        confirmLabel="Approve merchant"
        onConfirm={(reason) => run(() => trpc.operatorMerchants.approve.mutate({ merchantId, reason }))}
      >
        The merchant can register apps immediately, and charge as soon as its account at the processor accepts charges.
        It is listed in the directory. We e-mail its owners. The e-mail doesn’t contain your reason.
      </ReasonDialog>
    </>
  );
};

const DeclineMerchant = ({ merchantId, name, email }: ActProps) => {
  const stepUp = useStepUp(email, "Confirm and decline");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Decline
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Decline ${name}?`}
        confirmLabel="Decline merchant"
        reasonLabel="Reason (sent to the owners)"
        onConfirm={(reason) => run(() => trpc.operatorMerchants.decline.mutate({ merchantId, reason }))}
      >
        The merchant can’t register apps or charge. You can approve it later. We e-mail your reason to its owners.
      </ReasonDialog>
    </>
  );
};
