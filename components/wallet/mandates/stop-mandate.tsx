"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { InlineList } from "../../format/inline-list.tsx";
import { limitLabels } from "../../format/labels/mandate-labels.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import styles from "./mandate-actions.module.css";
import type { StoppableMandate } from "./stoppable.ts";
import { untilLoaded } from "./until-loaded.ts";

/**
 * Stopping can't be undone, so a dialog asks for confirmation. The choice and the buttons come before the details, so
 * that a person in a hurry finds them without reading.
 */
export const StopMandate = ({ mandate }: { mandate: StoppableMandate }) => {
  const t = useTranslations("mandates");
  const { open, dialog, run } = useConfirmDialog();
  const [isForAll, setIsForAll] = useState(false);
  const { clientName: agent } = mandate;
  const stop = () =>
    run(
      () => trpc.wallet[isForAll ? "revokeAll" : "revoke"].mutate({ mandateId: mandate.id }),
      isForAll ? t("stop.doneAll", { agent }) : t("stop.done", { agent }),
    );
  return (
    <>
      <span className={styles.stop}>
        <Button size="small" variant="danger" onClick={open}>
          {t("acts.stop")}
        </Button>
      </span>
      <Dialog
        isOpen={dialog.isOpen}
        onOpenChange={(isOpen) => (isOpen ? null : dialog.onClose())}
        title={t("stop.title", { agent })}
      >
        <div className="small">
          <p className={styles.purpose}>{mandate.purpose}</p>
          <p>{isForAll ? t("stop.nowAll", { agent }) : t("stop.now")}</p>
        </div>
        <StopOthers mandate={mandate} isForAll={isForAll} setIsForAll={setIsForAll} />
        <DialogActions>
          <Button onClick={dialog.onClose}>{t("stop.keep")}</Button>
          <Button variant="dangerSolid" isBusy={dialog.isBusy} onClick={stop}>
            {isForAll ? t("stop.confirmAll", { count: String(mandate.liveOfClient) }) : t("stop.confirm")}
          </Button>
        </DialogActions>
        {dialog.notice}
        <StopDetails mandate={mandate} isForAll={isForAll} />
        <OtherMandates mandate={mandate} />
      </Dialog>
    </>
  );
};

/** Says what stops, which payments may still complete, and what doesn't end. */
const StopDetails = ({ mandate, isForAll }: { mandate: StoppableMandate; isForAll: boolean }) => {
  const t = useTranslations("mandates.stop");
  const { held, limits, clientName: agent } = mandate;
  return (
    <>
      <ul className={styles.limits}>
        {limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <ul className={styles.list}>
        <li>{isForAll ? t("heldAll") : held ? t("heldOne", { amount: held }) : t("heldNone")}</li>
        <li>{t("final", { agent })}</li>
        <li>{t("contract")}</li>
      </ul>
    </>
  );
};

/** The choice to stop the client's other mandates too. */
const StopOthers = ({
  mandate,
  isForAll,
  setIsForAll,
}: {
  mandate: StoppableMandate;
  isForAll: boolean;
  setIsForAll: (isForAll: boolean) => void;
}) => {
  const t = useTranslations("mandates.stop");
  const count = mandate.liveOfClient - 1;
  if (count === 0) return null;
  return (
    <Choice type="checkbox" checked={isForAll} onChange={(event) => setIsForAll(event.currentTarget.checked)}>
      <span>{t("others", { count, agent: mandate.clientName })}</span>
    </Choice>
  );
};

/** The first few other mandates of the client, with purpose and limits. Empty until they are loaded. */
const OtherMandates = ({ mandate: { id, clientName, locale, liveOfClient } }: { mandate: StoppableMandate }) => {
  const t = useTranslations("mandates");
  const [mandates, setMandates] = useState<readonly WalletMandate[]>([]);
  useEffect(() => {
    if (liveOfClient === 1) return;
    return untilLoaded(() => trpc.wallet.othersOfClient.query({ mandateId: id }), setMandates);
  }, [id, liveOfClient]);
  const more = liveOfClient - 1 - mandates.length;
  if (mandates.length === 0) return null;
  return (
    <div className={styles.others}>
      <h3 className="small">{t("stop.othersTitle", { agent: clientName })}</h3>
      <ul className={styles.list}>
        {mandates.map((other) => (
          <li key={other.id}>
            {other.purpose ? t("quoted", { text: other.purpose }) : t("noPurpose")}
            <div className="muted">
              <InlineList items={limitLabels(other, { locale, t })} />
            </div>
          </li>
        ))}
        {more > 0 ? <li>{t("stop.more", { count: String(more) })}</li> : null}
      </ul>
    </div>
  );
};
