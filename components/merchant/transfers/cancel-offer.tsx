"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

type Props = { merchantId: string; transferId: string; toName: string };

/** Cancels the offer of the merchant's own entry. */
export const CancelOffer = ({ merchantId, transferId, toName }: Props) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button variant="danger" onClick={open}>
        Cancel offer
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title="Cancel the offer?"
        confirmLabel="Cancel offer"
        cancelLabel="Keep offer"
        onConfirm={() => run(() => trpc.entryTransfers.cancel.mutate({ merchantId, transferId }))}
      >
        {toName} can no longer accept the entry. We e-mail the owners and admins of both merchants.
      </ConfirmDialog>
    </>
  );
};
