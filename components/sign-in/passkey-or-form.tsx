"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./passkey-or-form.module.css";

/** A passkey button and the form in `children`, the more likely one first. Passkeys need script. */
export const PasskeyOrForm = ({
  isFirst,
  isAlone = false,
  isBusy,
  problem,
  use,
  children,
}: {
  isFirst: boolean;
  /** omits the word “or” between the passkey and `children` */
  isAlone?: boolean;
  isBusy: boolean;
  /** why the passkey failed */
  problem: string | null;
  use: () => void;
  children: ReactNode;
}) => {
  const t = useTranslations("passkey");
  const passkey = (
    <div className={styles.passkey}>
      <Button isWide variant={isFirst ? "primary" : "plain"} isBusy={isBusy} onClick={use}>
        <Icon name="key" />
        {t("use")}
      </Button>
      {problem ? (
        <Notice tone="bad" isLive>
          {problem}
        </Notice>
      ) : null}
    </div>
  );
  const or = isAlone ? null : <p className={styles.or}>{t("or")}</p>;
  return isFirst ? (
    <>
      {passkey}
      {or}
      {children}
    </>
  ) : (
    <>
      {children}
      {or}
      {passkey}
    </>
  );
};
