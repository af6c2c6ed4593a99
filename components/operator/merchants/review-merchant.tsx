"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { reasonOf, trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

type Props = {
  merchantId: string;
  name: string;
  review: "pending" | "declined";
  /** of the details that the page shows */
  version: string;
  email: string;
};

/** Approves or declines a new merchant. A declined one can be approved later. */
export const ReviewMerchant = ({ review, ...merchant }: Props) => (
  <>
    <ApproveMerchant {...merchant} />
    {review === "pending" ? <DeclineMerchant {...merchant} /> : null}
  </>
);

type ActProps = Omit<Props, "review">;

/**
 * The dialog of a decision about the details that the page showed when the dialog was opened. If they changed since, the
 * page behind the dialog is updated, and the operator opens the dialog again to decide about the new details.
 */
const useDecision = ({ version, email }: Pick<ActProps, "version" | "email">, verb: string) => {
  const router = useRouter();
  const stepUp = useStepUp(email, verb);
  const [reviewed, setReviewed] = useState(version);
  const { open, ...act } = useConfirmDialog((error, retry) => {
    if (reasonOf(error) === "merchant_details_changed") router.refresh();
    return stepUp.handleError(error, retry);
  });
  return {
    ...act,
    stepUp,
    reviewed,
    open: () => {
      setReviewed(version);
      open();
    },
  };
};

const ApproveMerchant = ({ merchantId, name, ...act }: ActProps) => {
  const { open, dialog, run, stepUp, reviewed } = useDecision(act, "Confirm and approve");
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
        onConfirm={(reason) =>
          run(() => trpc.operatorMerchants.approve.mutate({ merchantId, version: reviewed, reason }))
        }
      >
        The merchant can register apps immediately, and charge as soon as its account at the processor accepts charges.
        It is listed in the directory. We e-mail its owners. The e-mail doesn’t contain your reason.
      </ReasonDialog>
    </>
  );
};

const DeclineMerchant = ({ merchantId, name, ...act }: ActProps) => {
  const { open, dialog, run, stepUp, reviewed } = useDecision(act, "Confirm and decline");
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
        onConfirm={(reason) =>
          run(() => trpc.operatorMerchants.decline.mutate({ merchantId, version: reviewed, reason }))
        }
      >
        The merchant can’t register apps or charge. You can approve it later. We e-mail your reason to its owners.
      </ReasonDialog>
    </>
  );
};
