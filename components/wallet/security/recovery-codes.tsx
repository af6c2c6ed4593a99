"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { NewRecoveryCodes } from "./new-recovery-codes.tsx";

/**
 * After a confirmation, creates recovery codes and shows them once. If unused codes exist, the confirmation says that
 * they stop working.
 */
export const CreateRecoveryCodes = ({ email, left }: { email: string; left: number | null }) => {
  const t = useTranslations("security");
  const router = useRouter();
  const stepUp = useStepUp(email, t("codes.confirmCreate"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const create = () => run(async () => setCodes((await trpc.security.createRecoveryCodes.mutate()).codes));
  const close = () => {
    setCodes(null);
    router.refresh();
  };
  return (
    <>
      <Button size="small" onClick={open}>
        {t(left === null ? "codes.create" : "codes.replace")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t(left === null ? "codes.createTitle" : "codes.replaceTitle")}
        confirmLabel={t("codes.confirm")}
        onConfirm={create}
      >
        {left === null ? t("codes.createText") : t("codes.replaceText", { left })}
      </ConfirmDialog>
      <NewRecoveryCodes codes={codes} email={email} onClose={close} />
    </>
  );
};
