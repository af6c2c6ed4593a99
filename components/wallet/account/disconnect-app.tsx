"use client";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

export const DisconnectApp = ({
  clientId,
  name,
  liveMandates,
}: {
  clientId: string;
  name: string;
  liveMandates: number;
}) => {
  const t = useTranslations("connected-apps");
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={t("disconnectOf", { name })} onClick={open}>
        {t("disconnect")}
      </Button>
      <ConfirmDialog
        {...dialog}
        title={t("confirmTitle", { name })}
        confirmLabel={t("disconnectIt")}
        cancelLabel={t("keepIt")}
        variant="dangerSolid"
        effects={[
          t("effectMandates", { count: liveMandates }),
          t("effectAccess"),
          t("effectCharges"),
          t("effectContract"),
        ]}
        onConfirm={() => run(() => trpc.connectedApps.disconnect.mutate({ clientId }))}
      />
    </>
  );
};
