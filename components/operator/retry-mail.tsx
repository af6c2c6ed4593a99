"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useAct } from "./use-act.tsx";

/** Sends mail again that was given up. */
export const RetryMail = ({ mailId }: { mailId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          clear();
          setIsOpen(true);
        }}
      >
        Send it again
      </Button>
      <ReasonDialog
        {...{ isOpen, isBusy, notice, title: "Send this mail again?", verb: "Send it again" }}
        close={() => setIsOpen(false)}
        act={(reason) =>
          perform(async () => {
            await trpc.operator.retryMail.mutate({ mailId, reason });
            setIsOpen(false);
            router.refresh();
          })
        }
      >
        It is tried within seconds, and for two days where that fails. A reader’s mail program sees it as one with what
        arrived before.
      </ReasonDialog>
    </>
  );
};
