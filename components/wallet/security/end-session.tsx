"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";

export const EndSession = ({ sessionId, device }: { sessionId: string; device: string }) => {
  const t = useTranslations("security");
  const router = useRouter();
  const act = useAct();
  const end = () =>
    act.perform(async () => {
      await trpc.auth.revokeSession.mutate({ sessionId });
      router.refresh();
    });
  return (
    <>
      <Button
        size="small"
        variant="danger"
        aria-label={t("sessions.endNamed", { device })}
        isBusy={act.isBusy}
        onClick={end}
      >
        {t("sessions.end")}
      </Button>
      {act.notice}
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
        onConfirm={() => run(() => trpc.auth.revokeOtherSessions.mutate())}
      >
        {t("sessions.endOthersText", { count })}
      </ConfirmDialog>
    </>
  );
};
