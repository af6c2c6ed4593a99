"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { useStepUp } from "../wallet/use-step-up.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useAct } from "./use-act.tsx";

/** Says what came of it, which stands in the audit log with the operator's name. No money moves by that. */
export const CloseContradiction = ({ contradictionId, email }: { contradictionId: string; email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and close it");
  const { isBusy, notice, perform } = useAct(stepUp.asks);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Close it
      </Button>
      <ReasonDialog
        {...{ isOpen, isBusy, notice, stepUp: stepUp.dialog }}
        title="Close this contradiction?"
        label="What came of it"
        verb="Close it"
        leave="Leave it open"
        close={() => setIsOpen(false)}
        act={(reason) =>
          perform(async () => {
            await trpc.operator.closeContradiction.mutate({ contradictionId, reason });
            setIsOpen(false);
            router.refresh();
          })
        }
      >
        Nothing is booked and no money moves by it. See first that the money is where it belongs: give it back in the
        processor’s books, or come to terms with the merchant.
      </ReasonDialog>
    </>
  );
};
