"use client";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { Effects } from "../../portal/acts/confirm-dialog.tsx";
import { AmountField, type Refused, readAmount } from "../../portal/forms/amount-field.tsx";
import styles from "../../portal/portal.module.css";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import type { PaymentAct, PaymentActsState } from "./use-payment-acts.ts";

export type MaximumAmount = { minor: number; text: string };

type AmountProps = {
  currency: string;
  locale: string;
  maximum: MaximumAmount;
  acts: PaymentActsState;
  verb: string;
  /** the start of the sentence below the field: `You refund` */
  understood: string;
  /** what happens to the money */
  effect: string;
  /** more fields of the form */
  fields?: ReactNode;
  onSubmit: (amountMinor: number, form: FormData) => void;
};

/** Asks for a part of a payment's amount, up to a maximum. */
export const AmountDialog = ({ act, title, ...form }: AmountProps & { act: PaymentAct; title: string }) => {
  const { openAct, open, close } = form.acts;
  return (
    <Dialog isOpen={openAct === act} onOpenChange={(isOpen) => (isOpen ? open(act) : close())} title={title}>
      <AmountForm {...form} />
    </Dialog>
  );
};

const AmountForm = ({ currency, locale, maximum, acts, verb, understood, effect, fields, onSubmit }: AmountProps) => {
  const amount = useAmount({ currency, locale, maximum, problem: acts.problem?.fields["/amount"] ?? null });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const minor = amount.accept(String(entered.get("amount") ?? ""));
    if (minor !== null) onSubmit(minor, entered);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Effects effects={[effect]} />
      <AmountField
        label={`Amount in ${currency}`}
        name="amount"
        initialMinor={maximum.minor}
        currency={currency}
        locale={locale}
        understood={understood}
        hint={`At most ${maximum.text}.`}
        beyond={amount.beyond}
        refused={amount.refused}
      />
      {fields}
      {acts.problem?.fields["/amount"] ? null : acts.notice}
      <DialogActions>
        <Button onClick={acts.close}>Cancel</Button>
        <SubmitButton variant="primary" aria-busy={acts.isBusy || undefined}>
          {verb}
        </SubmitButton>
      </DialogActions>
    </form>
  );
};

type Rules = Pick<AmountProps, "currency" | "locale" | "maximum"> & {
  /** the server's message about the submitted amount */
  problem: string | null;
};

const useAmount = ({ currency, locale, maximum, problem }: Rules) => {
  const amounts = useTranslations("amounts");
  const [mistake, setMistake] = useState<Refused | null>(null);
  const [submitted, setSubmitted] = useState("");
  const beyond = (minor: bigint) => (minor > BigInt(maximum.minor) ? `That is more than ${maximum.text}.` : null);
  // `AmountField` focuses the field when `refused` is a new object, so this object is kept until the next response.
  const rejected = useMemo(() => (problem ? { text: submitted, why: problem } : null), [problem, submitted]);
  return {
    beyond,
    refused: mistake ?? rejected,
    /** @returns the amount in minor units, or null if it isn't accepted. The field then shows why. */
    accept: (text: string): number | null => {
      const minor = readAmount(text, { currency, locale }, amounts);
      const why = typeof minor === "string" ? minor : beyond(minor);
      setMistake(why === null ? null : { text, why });
      if (why === null) setSubmitted(text);
      return why === null ? Number(minor) : null;
    },
  };
};
