"use client";
import { type ReactNode, useEffect, useState } from "react";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { describeLimits } from "../../format/labels/mandate-labels.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import styles from "./mandate-actions.module.css";

export type StoppableMandate = {
  id: string;
  clientName: string;
  purpose: string;
  /** as sentences */
  limits: readonly string[];
  locale: string;
  /** the number of live mandates of the same client, including this one */
  liveOfClient: number;
  /** the amount that payments in progress hold, formatted; null for none */
  held: string | null;
};

/** Stopping can't be undone, so a dialog shows what stops and which payments may still complete. */
export const StopMandate = ({ mandate }: { mandate: StoppableMandate }) => {
  const { open, dialog, run } = useConfirmDialog();
  const [isForAll, setIsForAll] = useState(false);
  const { clientName } = mandate;
  const stop = () => run(() => trpc.wallet[isForAll ? "revokeAll" : "revoke"].mutate({ mandateId: mandate.id }));
  return (
    <>
      <span className={styles.stop}>
        <Button size="small" variant="danger" onClick={open}>
          Stop
        </Button>
      </span>
      <Dialog
        isOpen={dialog.isOpen}
        onOpenChange={(isOpen) => (isOpen ? null : dialog.onClose())}
        title={`Stop ${clientName}?`}
      >
        <div className={styles.what}>
          <p>{mandate.purpose ? `“${mandate.purpose}”` : "No purpose given"}</p>
          <ul>
            {mandate.limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </div>
        <OtherMandates mandate={mandate} isForAll={isForAll} setIsForAll={setIsForAll} />
        <ul className={styles.list}>
          <li>New payments stop immediately{isForAll ? ` for every mandate of ${clientName}` : ""}.</li>
          <li>{describeInFlight(mandate, isForAll)}</li>
          <li>This can’t be undone. To pay for you again, {clientName} would need your approval again.</li>
        </ul>
        {dialog.notice}
        <DialogActions>
          <Button onClick={dialog.onClose}>Keep it</Button>
          <Button variant="dangerSolid" isBusy={dialog.isBusy} onClick={stop}>
            {isForAll ? `Stop all ${mandate.liveOfClient}` : "Stop it"}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
};

/** Which payments may still complete after a stop. */
const describeInFlight = ({ held }: StoppableMandate, isForAll: boolean): string => {
  if (isForAll) return "Payments in progress may still complete. You will see them under Activity.";
  return held
    ? `${held} is held for payments in progress. They may still complete, and you will see them under Activity.`
    : "No payment is in progress. A payment that is authorised before you stop the mandate may still complete.";
};

/** The choice to stop the client's other mandates too. */
const OtherMandates = ({
  mandate,
  isForAll,
  setIsForAll,
}: {
  mandate: StoppableMandate;
  isForAll: boolean;
  setIsForAll: (isForAll: boolean) => void;
}) => {
  const count = mandate.liveOfClient - 1;
  if (count === 0) return null;
  return (
    <OtherMandateList mandate={mandate} count={count}>
      <Choice type="checkbox" checked={isForAll} onChange={(event) => setIsForAll(event.currentTarget.checked)}>
        <span>
          Also stop {count === 1 ? "the other mandate" : `the ${count} other mandates`} of {mandate.clientName}
        </span>
      </Choice>
    </OtherMandateList>
  );
};

/** The first of these mandates, with purpose and limits. The choice shows only their number until they are loaded. */
const OtherMandateList = ({
  mandate: { id, locale },
  count,
  children,
}: {
  mandate: StoppableMandate;
  count: number;
  children: ReactNode;
}) => {
  const [mandates, setMandates] = useState<readonly WalletMandate[]>([]);
  useEffect(() => {
    let isCurrent = true;
    trpc.wallet.othersOfClient.query({ mandateId: id }).then(
      (found) => isCurrent && setMandates(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  const more = count - mandates.length;
  return (
    <div>
      {children}
      {mandates.length > 0 ? (
        <ul className={`${styles.list} ${styles.others}`}>
          {mandates.map((other) => (
            <li key={other.id}>
              {other.purpose ? `“${other.purpose}”` : "No purpose given"}.{" "}
              {describeLimits(other, { locale }).join(", ")}
            </li>
          ))}
          {more > 0 ? <li>and {more} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
};
