"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useAct } from "./use-act.tsx";

/** Makes a failed run again. */
export const RetryJob = ({ runId, name }: { runId: string; name: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [isOpen, setIsOpen] = useState(false);
  const show = (open: boolean) => {
    clear();
    setIsOpen(open);
  };
  return (
    <>
      <Button size="small" aria-label={`Retry ${name}`} onClick={() => show(true)}>
        Retry
      </Button>
      <ReasonDialog
        {...{ isOpen, isBusy, notice, title: `Retry ${name}?`, verb: "Retry it" }}
        close={() => show(false)}
        act={(reason) =>
          perform(async () => {
            await trpc.operatorService.retryJob.mutate({ runId, reason });
            setIsOpen(false);
            router.refresh();
          })
        }
      >
        A worker makes this run again within half a minute. Doing a job twice changes nothing more than doing it once.
      </ReasonDialog>
    </>
  );
};
