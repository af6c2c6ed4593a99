"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { sent, textIn, useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

type Asked = "search" | "settle";
type FindingKind = "succeeded" | "declined" | "nothing";

const outcomes = {
  nothing: "The processor knows of no such payment. The charge stays as it is, and its amount stays held.",
  contradiction:
    "What the processor has in its place is of another amount or currency. The charge stays as it is, and its amount stays held.",
  no_answer: "The processor could not be asked. Try again later; the amount stays held.",
} as const;

const effects: Readonly<Record<FindingKind, string>> = {
  succeeded: "The payer has paid: the amount counts as used, and the merchant is told that the charge went well.",
  declined: "No money moved: the amount is free again, and the merchant is told that the charge was declined.",
  nothing:
    "No money moved: the amount is free again, and the merchant is told that it is safe to try again. Be sure that the request can no longer arrive.",
};

/** Search again, or settle by what was found. Both say why, and stand in the audit log with the operator's name. */
export const ChargeActs = ({ chargeId, isManual, email }: { chargeId: string; isManual: boolean; email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and go on");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [kind, setKind] = useState<FindingKind>("succeeded");
  const { isBusy, notice, perform, clear } = useAct(stepUp.asks);
  const [found, setFound] = useState<keyof typeof outcomes | null>(null);

  const ask = (what: Asked | null) => {
    clear();
    setFound(null);
    setAsked(what);
  };
  const search = (form: FormData) =>
    perform(async () => {
      const reason = textIn(form, "reason");
      const answer = await trpc.operator.searchCharge.mutate({ chargeId, reason });
      setAsked(null);
      setFound(answer.found === "settled" ? null : answer.found);
      router.refresh();
    });
  const settle = (form: FormData) =>
    perform(async () => {
      const finding = kind === "nothing" ? { kind } : { kind, processorRef: textIn(form, "processorRef") };
      await trpc.operator.settleCharge.mutate({ chargeId, reason: textIn(form, "reason"), finding });
      setAsked(null);
      router.refresh();
    });

  return (
    <div className={styles.acts}>
      <Button onClick={() => ask("search")}>Search again</Button>
      <Button variant="primary" onClick={() => ask("settle")}>
        Settle it
      </Button>
      {found ? (
        <div className={styles.live}>
          <Notice tone="note" isLive>
            {outcomes[found]}
          </Notice>
        </div>
      ) : null}
      <Dialog isOpen={asked === "search"} onOpenChange={(open) => ask(open ? "search" : null)} title="Search again?">
        <form className={styles.form} onSubmit={(event) => search(sent(event))}>
          <p className="small">
            The processor is asked once more. If it tells what became of the payment, the charge is settled by that at
            once.
          </p>
          <ReasonField />
          {notice}
          <DialogActions>
            <Button onClick={() => ask(null)}>Not now</Button>
            <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
              Search
            </SubmitButton>
          </DialogActions>
        </form>
        {asked === "search" ? stepUp.dialog : null}
      </Dialog>
      <Dialog
        isOpen={asked === "settle"}
        onOpenChange={(open) => ask(open ? "settle" : null)}
        title="Settle this charge?"
      >
        <form className={styles.form} onSubmit={(event) => settle(sent(event))}>
          <Select
            label="What you found at the processor"
            name="kind"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as FindingKind)}
          >
            <option value="succeeded">{isManual ? "A payment that is authorised" : "A payment that succeeded"}</option>
            <option value="declined">A payment that was declined</option>
            <option value="nothing">No payment</option>
          </Select>
          {kind === "nothing" ? null : (
            <Field
              label="The processor’s id of it"
              name="processorRef"
              required
              maxLength={200}
              pattern="[!-~]+"
              autoComplete="off"
              hint="As it stands in the processor’s books, without spaces."
            />
          )}
          <ReasonField />
          <p className="small">
            {isManual && kind === "succeeded"
              ? "The amount stays held, and the merchant may capture it."
              : effects[kind]}{" "}
            This can’t be undone.
          </p>
          {notice}
          <DialogActions>
            <Button onClick={() => ask(null)}>Leave it</Button>
            <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
              Settle it
            </SubmitButton>
          </DialogActions>
        </form>
        {asked === "settle" ? stepUp.dialog : null}
      </Dialog>
    </div>
  );
};
