"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

/** Lets the signed-in member leave the team. */
export const LeaveTeam = ({ merchantId, merchantName }: { merchantId: string; merchantName: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  const leave = async () => {
    await trpc.team.leave.mutate({ merchantId });
    await openPage("/wallet");
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Leave
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Leave the team of ${merchantName}?`}
        confirmLabel="Leave team"
        onConfirm={() => run(leave)}
      >
        You lose access to this merchant. To come back, you need a new invitation.
      </ConfirmDialog>
    </>
  );
};
