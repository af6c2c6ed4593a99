"use client";
import { type FormEvent, useState } from "react";
import { AmountField, NumberField, type Read, type Refused, readAmount } from "../../portal/acts/amount-field.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useMessageOf } from "../../portal/acts/use-message-of.ts";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import styles from "./mandate-limits.module.css";

type Limit = {
  mandateId: string;
  clientName: string;
  limitKey: string;
  label: string;
  cap: number;
  /** the cap with its currency or unit */
  capText: string;
  /** null for a limit on the number of payments */
  currency: string | null;
  locale: string;
};

/** Lowers one limit of a live mandate. */
export const LowerLimit = (limit: Limit) => {
  const messageOf = useMessageOf();
  const { open, dialog, run } = useConfirmDialog();
  const [refused, setRefused] = useState<Refused | null>(null);
  const { mandateId, limitKey, cap, capText, currency, locale } = limit;

  const beyond = (value: bigint) => (value >= BigInt(cap) ? `Enter less than ${capText}.` : null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const text = textField(submittedForm(event), "cap");
    const value = currency === null ? readCount(text) : readAmount(text, currency, locale);
    const problem = typeof value === "string" ? value : beyond(value);
    if (problem !== null) return setRefused({ text, why: problem });
    let failure: string | null = null;
    await run(() =>
      trpc.wallet.narrow.mutate({ mandateId, limitKey, capMinor: Number(value) }).catch((error: unknown) => {
        failure = messageOf(error);
        throw error;
      }),
    );
    setRefused(failure === null ? null : { text, why: failure });
  };

  return (
    <>
      <Button size="small" aria-label={`Lower: ${limit.label}`} onClick={open}>
        Lower
      </Button>
      <Dialog
        isOpen={dialog.isOpen}
        onOpenChange={(isOpen) => (isOpen ? null : dialog.onClose())}
        title="Lower this limit?"
      >
        <form className={styles.form} onSubmit={submit} noValidate>
          <CapField limit={limit} beyond={beyond} refused={refused} />
          <DialogActions>
            <Button onClick={dialog.onClose}>Keep {capText}</Button>
            <SubmitButton variant="primary" aria-busy={dialog.isBusy || undefined}>
              Lower it
            </SubmitButton>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
};

const CapField = ({
  limit: { clientName, limitKey, label, cap, capText, currency, locale },
  beyond,
  refused,
}: {
  limit: Limit;
  beyond: (value: bigint) => string | null;
  refused: Refused | null;
}) => {
  const hint = `Now ${capText}. A lower limit applies immediately. To raise it again, ${clientName} would need your approval again.${lifetimeHint(limitKey)}`;
  const field = { name: "cap", hint, beyond, refused };
  return currency === null ? (
    <NumberField
      {...field}
      label={`${label}: new limit`}
      initial={String(cap)}
      read={readCount}
      understood={(count) => (
        <>
          The limit becomes <b className="num">{String(count)}</b>.
        </>
      )}
      inputMode="numeric"
    />
  ) : (
    <AmountField
      {...field}
      label={`${label}: new limit in ${currency}`}
      initialMinor={cap}
      currency={currency}
      locale={locale}
      understood="The limit becomes"
    />
  );
};

/** A lifetime limit that is used up ends the mandate (docs/spec/payments.md, Mandate states). */
const lifetimeHint = (limitKey: string): string =>
  limitKey === "total" || limitKey === "total_count"
    ? " If the new limit isn’t above what is already used, the mandate ends."
    : "";

const readCount = (text: string): Read =>
  /^0*[1-9]\d{0,11}$/.test(text.trim()) ? BigInt(text.trim()) : "Enter a whole number above zero, like 5.";
