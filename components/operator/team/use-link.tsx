"use client";
import { useState } from "react";
import type { OperatorRole } from "#server/accounts/authorize.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { LinkDialog } from "./link-dialog.tsx";

/** State of the dialogs that make a one-time link: first the form, then the link. @param email of the reader */
export const useLink = (email: string) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [made, setMade] = useState<{ target: string; link: string } | null>(null);
  return {
    open,
    dialog: { ...dialog, stepUp: stepUp.dialog },
    make: (input: { email: string; role: OperatorRole; reason: string }) =>
      run(async () => {
        const { link } = await trpc.operatorTeam.invite.mutate(input);
        setMade({ target: input.email, link });
      }),
    result: <LinkDialog link={made?.link ?? null} target={made?.target ?? ""} onClose={() => setMade(null)} />,
  };
};
