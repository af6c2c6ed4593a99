"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { Button } from "../../ui/button.tsx";
import { useDecision } from "./use-decision.ts";

type Props = {
  merchantId: string;
  name: string;
  review: "pending" | "declined";
  /** version of the details that the page shows */
  version: string;
  email: string;
};

/** Approves or declines a new merchant. A declined merchant can be approved later. */
export const ReviewMerchant = ({ review, ...merchant }: Props) => (
  <>
    <ApproveMerchant {...merchant} />
    {review === "pending" ? <DeclineMerchant {...merchant} /> : null}
  </>
);

type ActProps = Omit<Props, "review">;

const changedCode = "merchant_details_changed";

const ApproveMerchant = ({ merchantId, name, version, email }: ActProps) => {
  const verb = "Confirm and approve";
  const { open, dialog, run, reviewed } = useDecision({ email, shown: version, verb, changedCode });
  return (
    <>
      <Button size="small" variant="primary" onClick={open}>
        Approve
      </Button>
      <ReasonDialog
        {...dialog}
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

const DeclineMerchant = ({ merchantId, name, version, email }: ActProps) => {
  const verb = "Confirm and decline";
  const { open, dialog, run, reviewed } = useDecision({ email, shown: version, verb, changedCode });
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Decline
      </Button>
      <ReasonDialog
        {...dialog}
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
