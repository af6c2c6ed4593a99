"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./account.module.css";

export const KeepAccount = () => {
  const t = useTranslations("privacy");
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const keep = () =>
    perform(async () => {
      await trpc.privacy.cancelDeletion.mutate();
      router.refresh();
    });
  return (
    <div className={styles.stack}>
      <Button variant="primary" isBusy={isBusy} onClick={keep}>
        {t("keep")}
      </Button>
      {notice}
    </div>
  );
};
