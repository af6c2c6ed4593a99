"use client";
import { useRouter } from "next/navigation";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";

/** Shows a one-time link once. @param link null: the dialog is closed */
export const LinkDialog = ({ link, target, onClose }: { link: string | null; target: string; onClose: () => void }) => {
  const router = useRouter();
  const close = () => {
    onClose();
    router.refresh();
  };
  return (
    <Dialog isOpen={link !== null} onOpenChange={(isOpen) => (isOpen ? undefined : close())} title="Send this link">
      <p className="small">
        Send this link to {target} through a channel that you trust. It works once, within 24 hours, and isn’t shown
        again. If the address has no account yet, anyone who has the link can use it.
      </p>
      <CopyText label="link" text={link ?? ""} />
      <DialogActions>
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
};
