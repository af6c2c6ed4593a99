"use client";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { Button } from "../../ui/button.tsx";
import { useDecision } from "./use-decision.ts";

type Props = { merchantId: string; name: string; hash: string; email: string };

/** Removes the logo that the page shows. */
export const RemoveLogo = ({ merchantId, name, hash, email }: Props) => {
  const verb = "Confirm and remove";
  const { open, dialog, run, reviewed } = useDecision({ email, shown: hash, verb, changedCode: "logo_changed" });
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Remove logo
      </Button>
      <ReasonDialog
        {...dialog}
        variant="dangerSolid"
        title={`Remove the logo of ${name}?`}
        confirmLabel="Remove logo"
        reasonLabel="Reason (shown to the merchant)"
        onConfirm={(reason) =>
          run(() => trpc.operatorMerchants.removeLogo.mutate({ merchantId, hash: reviewed, reason }))
        }
      >
        Payers no longer see the logo. Cached copies can be shown for up to 5 minutes. The merchant’s owners and admins
        see your reason in their audit log. They can upload another logo.
      </ReasonDialog>
    </>
  );
};
