"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { reasonOf, trpc } from "../../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../../ui/button.tsx";

/** @property replaces - hash of the logo that the page shows */
type Props = { merchantId: string; replaces: string; onRemoved: () => void };

export const RemoveOwnLogo = ({ merchantId, replaces, onRemoved }: Props) => {
  const router = useRouter();
  const { open, dialog, run } = useConfirmDialog((error) => {
    if (reasonOf(error) === "settings_changed") router.refresh();
    return false;
  });
  const remove = async () => {
    await trpc.settings.removeLogo.mutate({ merchantId, replaces });
    onRemoved();
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Remove logo
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title="Remove the logo?"
        confirmLabel="Remove logo"
        cancelLabel="Keep logo"
        effects={[
          "Payers no longer see the logo when they approve a request. Cached copies can be shown for up to 5 minutes.",
          "You can upload a logo again at any time.",
        ]}
        onConfirm={() => run(remove)}
      />
    </>
  );
};
