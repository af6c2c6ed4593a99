"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useAct } from "./use-act.tsx";

/** Nobody registers an agent with it from now on. */
export const RevokeAgentToken = ({ tokenId, name }: { tokenId: string; name: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [isOpen, setIsOpen] = useState(false);
  const show = (open: boolean) => {
    clear();
    setIsOpen(open);
  };
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke the token of ${name}`} onClick={() => show(true)}>
        Revoke
      </Button>
      <ReasonDialog
        {...{
          isOpen,
          isBusy,
          notice,
          variant: "dangerSolid",
          title: `Revoke the token of ${name}?`,
          verb: "Revoke it",
        }}
        close={() => show(false)}
        act={(reason) =>
          perform(async () => {
            await trpc.operatorAgents.revokeToken.mutate({ tokenId, reason });
            setIsOpen(false);
            router.refresh();
          })
        }
      >
        Nobody can register an agent with it from now on. Agents that were registered with it stay. This can’t be
        undone.
      </ReasonDialog>
    </>
  );
};
