"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { AskDialog } from "../operator/ask-dialog.tsx";
import { useAct } from "../operator/use-act.tsx";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";

/** Ends an initial access token of a merchant's; asks first. */
export const RevokeToken = ({ tokenId, name }: { tokenId: string; name: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform, clear } = useAct();
  const [isOpen, setIsOpen] = useState(false);
  const show = (open: boolean) => {
    clear();
    setIsOpen(open);
  };
  const revoke = () =>
    perform(async () => {
      await trpc.apps.revokeToken.mutate({ tokenId });
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke ${name}`} onClick={() => show(true)}>
        Revoke
      </Button>
      <AskDialog
        {...{ isOpen, isBusy, notice, field: null, variant: "dangerSolid" }}
        title={`Revoke ${name}?`}
        verb="Revoke it"
        leave="Keep it"
        close={() => show(false)}
        act={revoke}
      >
        Nobody can register an app with it from now on. Apps that were registered with it stay. This can’t be undone.
      </AskDialog>
    </>
  );
};
