"use client";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useConfirmDialog } from "./use-confirm-dialog.ts";

type Props = {
  /** what is revoked, for example `the statement for Grocer Bot` */
  name: string;
  confirmLabel: string;
  revoke: () => Promise<unknown>;
  /** what the revocation does */
  children: ReactNode;
};

/** A button in a row of a list. It asks for confirmation, because a revocation can't be undone. */
export const RevokeButton = ({ name, confirmLabel, revoke, children }: Props) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke ${name}`} onClick={open}>
        Revoke
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Revoke ${name}?`}
        confirmLabel={confirmLabel}
        onConfirm={() => run(revoke)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
};
