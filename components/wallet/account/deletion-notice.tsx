import { translator } from "#server/kernel/messages/translator.ts";
import { formatDate } from "../../format/dates.ts";
import { Messages } from "../../format/messages.tsx";
import type { Reader } from "../../format/reader.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./account.module.css";
import { KeepAccount } from "./keep-account.tsx";

/** Shown on every page of the wallet while the deletion of the account is pending. */
export const DeletionNotice = ({ deletedOn, reader }: { deletedOn: Date; reader: Reader }) => {
  const t = translator(reader.locale, "privacy");
  return (
    <Messages locale={reader.locale} areas={["privacy"]}>
      <Notice tone="warn">
        <div className={styles.stack}>
          <span>
            <strong>{t("scheduled", { date: formatDate(deletedOn, reader) })}</strong> {t("scheduledText")}
          </span>
          <KeepAccount />
        </div>
      </Notice>
    </Messages>
  );
};
