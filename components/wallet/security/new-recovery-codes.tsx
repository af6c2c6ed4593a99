"use client";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { useCopy } from "../../ui/copy/use-copy.ts";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./security.module.css";

/** Shows new recovery codes once. @param codes null: the dialog is closed */
export const NewRecoveryCodes = ({
  codes,
  email,
  onClose,
}: {
  codes: readonly string[] | null;
  email: string;
  onClose: () => void;
}) => {
  const t = useTranslations("security");
  const list = codes ?? [];
  const { isCopied, copy } = useCopy(list.join("\n"));
  const download = () => {
    const text = `${t("codes.fileHead", { email })}\n\n${list.join("\n")}\n`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href: url, download: "paygrant-recovery-codes.txt" }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <Dialog isOpen={codes !== null} onOpenChange={(isOpen) => (isOpen ? null : onClose())} title={t("codes.newTitle")}>
      <div className={styles.panel}>
        <p className="small">{t("codes.newText")}</p>
        <ul className={styles.codes}>
          {list.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={styles.acts}>
          <Button variant="strong" onClick={download}>
            {t("codes.download")}
          </Button>
          <Button onClick={copy}>{isCopied ? t("codes.copied") : t("codes.copy")}</Button>
          <span className="visuallyHidden" role="status">
            {isCopied ? t("codes.copied") : ""}
          </span>
        </div>
        <Notice tone="warn">{t("codes.once")}</Notice>
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {t("codes.saved")}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
};
