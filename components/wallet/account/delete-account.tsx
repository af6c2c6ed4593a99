"use client";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";

/** @param deletedOn the day, as text, on which the data is removed if the deletion begins now */
export const DeleteAccount = ({ email, deletedOn }: { email: string; deletedOn: string }) => {
  const t = useTranslations("privacy");
  const stepUp = useStepUp(email, t("confirmAndDelete"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <div>
      <Button variant="danger" onClick={open}>
        {t("delete")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t("confirmTitle")}
        confirmLabel={t("delete")}
        cancelLabel={t("keepForNow")}
        variant="dangerSolid"
        effects={[t("effectMandates"), t("effectCharges"), t("effectData", { date: deletedOn }), t("effectContract")]}
        onConfirm={() => run(() => trpc.privacy.requestDeletion.mutate())}
      />
    </div>
  );
};
