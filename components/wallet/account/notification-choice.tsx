"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { OptionalMailKind } from "#server/kernel/mail-kinds.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Choice } from "../../ui/choice.tsx";
import styles from "./account.module.css";

/**
 * A choice that is saved when it changes. The box shows the new choice immediately. If it can't be saved, the box shows
 * the old choice again.
 */
export const NotificationChoice = ({ kind, isOn: initial }: { kind: OptionalMailKind; isOn: boolean }) => {
  const t = useTranslations("notifications");
  const [isOn, setIsOn] = useState(initial);
  const [isSaved, setIsSaved] = useState(false);
  const { notice, perform } = useAct();
  const choose = (wanted: boolean) =>
    perform(async () => {
      setIsOn(wanted);
      setIsSaved(false);
      try {
        await trpc.notifications.choose.mutate({ kind, isOn: wanted });
        setIsSaved(true);
      } catch (error) {
        setIsOn(!wanted);
        throw error;
      }
    });
  return (
    <div>
      <Choice type="checkbox" checked={isOn} onChange={({ target }) => choose(target.checked)}>
        <span className={styles.choice}>
          {t(`kinds.${kind}`)}
          <span className="tiny muted">{t(`notes.${kind}`)}</span>
        </span>
      </Choice>
      <p className="visuallyHidden" role="status">
        {isSaved ? t("saved") : ""}
      </p>
      {notice}
    </div>
  );
};
