"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { describeLimits } from "../../format/labels/mandate-labels.ts";
import { messageOf, trpc } from "../../portal/acts/trpc-client.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./mandate-acts.module.css";

export type MandateActionsProps = {
  id: string;
  clientName: string;
  purpose: string;
  /** in words */
  limits: readonly string[];
  locale: string;
  /** live mandates of the same client, with this one */
  liveOfClient: number;
  isPaused: boolean;
  /** what payments under way hold, as money; null where nothing is */
  held: string | null;
};

type Act = "pause" | "resume" | "revoke" | "revokeAll";

/** Pause, resume and stop. Stopping can't be undone, so it asks first and says what stays in flight. */
export const MandateActions = ({ mandate, children }: { mandate: MandateActionsProps; children?: ReactNode }) => {
  const router = useRouter();
  const [busy, setBusy] = useState<Act | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [isForAll, setIsForAll] = useState(false);
  const others = mandate.liveOfClient - 1;

  const perform = async (act: Act) => {
    setBusy(act);
    setProblem(null);
    try {
      await trpc.wallet[act].mutate({ mandateId: mandate.id });
      setIsAsking(false);
      router.refresh();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(null);
    }
  };

  return (
    <div className={styles.acts}>
      {mandate.isPaused ? (
        <Button size="small" variant="primary" isBusy={busy === "resume"} onClick={() => perform("resume")}>
          Resume
        </Button>
      ) : (
        <Button size="small" isBusy={busy === "pause"} onClick={() => perform("pause")}>
          Pause
        </Button>
      )}
      {children}
      <span className={styles.stop}>
        <Button size="small" variant="danger" onClick={() => setIsAsking(true)}>
          Stop
        </Button>
      </span>
      {problem && !isAsking ? (
        <div className={styles.live}>
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        </div>
      ) : null}
      <Dialog isOpen={isAsking} onOpenChange={setIsAsking} title={`Stop ${mandate.clientName}?`}>
        <div className={styles.what}>
          <p>{mandate.purpose ? `“${mandate.purpose}”` : `A mandate of ${mandate.clientName}, without a purpose`}</p>
          <ul>
            {mandate.limits.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
        {others > 0 ? (
          <OtherMandates mandate={mandate} count={others}>
            <Choice type="checkbox" checked={isForAll} onChange={(event) => setIsForAll(event.currentTarget.checked)}>
              <span>
                Also stop {others === 1 ? "the other mandate" : `the ${others} other mandates`} of {mandate.clientName}
              </span>
            </Choice>
          </OtherMandates>
        ) : null}
        <ul className={styles.list}>
          <li>
            From the next request on, nothing can be charged under{" "}
            {isForAll ? `any mandate of ${mandate.clientName}` : "this mandate"}.
          </li>
          <li>{inFlight(mandate, isForAll)}</li>
          <li>This can’t be undone. To pay for you again, {mandate.clientName} would have to ask you again.</li>
        </ul>
        {problem ? (
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        ) : null}
        <DialogActions>
          <Button onClick={() => setIsAsking(false)}>Keep it</Button>
          {isForAll ? (
            <Button variant="dangerSolid" isBusy={busy === "revokeAll"} onClick={() => perform("revokeAll")}>
              Stop all {mandate.liveOfClient}
            </Button>
          ) : (
            <Button variant="dangerSolid" isBusy={busy === "revoke"} onClick={() => perform("revoke")}>
              Stop it
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </div>
  );
};

/** The choice to stop them too, with the first few by purpose and limits. Without an answer, their number has to do. */
const OtherMandates = ({
  mandate: { id, locale },
  count,
  children,
}: {
  mandate: MandateActionsProps;
  count: number;
  children: ReactNode;
}) => {
  const [listed, setListed] = useState<readonly WalletMandate[]>([]);
  useEffect(() => {
    let isCurrent = true;
    trpc.wallet.othersOfClient.query({ mandateId: id }).then(
      (found) => isCurrent && setListed(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  const more = count - listed.length;
  return (
    <div>
      {children}
      {listed.length > 0 ? (
        <ul className={`${styles.list} ${styles.others}`}>
          {listed.map((other) => (
            <li key={other.id}>
              {other.purpose ? `“${other.purpose}”` : "Without a purpose"}.{" "}
              {describeLimits(other, { locale }).join(", ")}
            </li>
          ))}
          {more > 0 ? <li>and {more} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
};

/** What may still complete after a stop. */
const inFlight = ({ held }: MandateActionsProps, isForAll: boolean): string => {
  if (isForAll) return "Payments under way may still complete, and you will see them under Activity.";
  return held
    ? `${held} is held by payments under way. They may still complete, and you will see them under Activity.`
    : "No payment is under way. One that is authorised before you stop may still complete.";
};
