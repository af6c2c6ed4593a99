"use client";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

export const EndSession = ({ sessionId, device }: { sessionId: string; device: string }) => {
  const t = useTranslations("security");
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={t("sessions.endNamed", { device })} onClick={open}>
        {t("sessions.end")}
      </Button>
      <ConfirmDialog
        {...dialog}
        title={t("sessions.endTitle")}
        confirmLabel={t("sessions.end")}
        cancelLabel={t("sessions.keep")}
        variant="dangerSolid"
        onConfirm={() => run(() => trpc.auth.revokeSession.mutate({ sessionId }), t("sessions.ended", { device }))}
      >
        {t("sessions.endText", { device })}
      </ConfirmDialog>
    </>
  );
};

export const EndOtherSessions = ({ count }: { count: number }) => {
  const t = useTranslations("security");
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        {t("sessions.endOthers")}
      </Button>
      <ConfirmDialog
        {...dialog}
        title={t("sessions.endOthersTitle")}
        confirmLabel={t("sessions.endThem")}
        cancelLabel={t("sessions.keepThem")}
        variant="dangerSolid"
        onConfirm={() => run(() => trpc.auth.revokeOtherSessions.mutate(), t("sessions.othersEnded"))}
      >
        {t("sessions.endOthersText", { count })}
      </ConfirmDialog>
    </>
  );
};
