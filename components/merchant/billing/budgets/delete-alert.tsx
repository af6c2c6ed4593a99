"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../../ui/button.tsx";

type Props = { merchantId: string; alertId: string; name: string };

export const DeleteAlert = ({ merchantId, alertId, name }: Props) => {
  const router = useRouter();
  const { open, dialog, run } = useConfirmDialog();
  const remove = async () => {
    await trpc.merchantBudgets.delete.mutate({ merchantId, alertId });
    router.push("/merchant/billing/alerts");
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Delete this budget alert?"
        confirmLabel="Delete alert"
        variant="dangerSolid"
        effects={[`The alert “${name}” will no longer be sent by e-mail or webhook.`]}
        onConfirm={() => run(remove)}
      />
    </>
  );
};
