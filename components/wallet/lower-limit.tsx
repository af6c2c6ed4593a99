"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { parseTypedAmount, typedAmountProblem } from "#server/kernel/typed-amount.ts";
import { AmountField } from "../mandates/amount-field.tsx";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActs } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./mandate-limits.module.css";
import { messageOf, trpc } from "./trpc-client.ts";

/** Lowers one limit of a live mandate, at once. */
export const LowerLimit = ({
  mandateId,
  clientName,
  limitKey,
  label,
  cap,
  capWords,
  currency,
  locale,
}: {
  mandateId: string;
  clientName: string;
  limitKey: string;
  label: string;
  cap: number;
  capWords: string;
  /** null: the limit counts payments */
  currency: string | null;
  locale: string;
}) => {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("cap") ?? "");
    const wish = currency === null ? readCount(text) : readAmount(text, currency, locale);
    if (typeof wish === "string") return setProblem(wish);
    if (wish >= BigInt(cap)) return setProblem(`That isn’t lower than ${capWords}.`);
    setIsBusy(true);
    try {
      await trpc.wallet.narrow.mutate({ mandateId, limitKey, capMinor: Number(wish) });
      setIsOpen(false);
      setProblem(null);
      router.refresh();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };

  const hint = `Now ${capWords}. It counts from the next request on, and can’t be raised again here: ${clientName} would have to ask you again.${lifetimeHint(limitKey)}`;
  return (
    <>
      <Button size="small" aria-label={`Lower: ${label}`} onClick={() => setIsOpen(true)}>
        Lower
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Lower this limit?">
        <form className={styles.form} onSubmit={submit} noValidate>
          {currency === null ? (
            <Field
              label={`${label}: at most`}
              name="cap"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={String(cap)}
              hint={hint}
              error={problem}
            />
          ) : (
            <AmountField
              label={`${label}: at most, in ${currency}`}
              name="cap"
              initialMinor={cap}
              currency={currency}
              locale={locale}
              understood="The limit becomes"
              hint={hint}
              error={problem}
            />
          )}
          <DialogActs>
            <Button onClick={() => setIsOpen(false)}>Keep {capWords}</Button>
            <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
              Lower it
            </SubmitButton>
          </DialogActs>
        </form>
      </Dialog>
    </>
  );
};

/** A lifetime cap that is used up ends the permission (docs/spec/payments.md, Mandate states). */
const lifetimeHint = (limitKey: string): string =>
  limitKey === "total" || limitKey === "total_count" ? " At or below what is used already, the permission ends." : "";

/** @returns the number, or what is wrong with the text. */
const readCount = (text: string): bigint | string =>
  /^0*[1-9]\d{0,11}$/.test(text.trim()) ? BigInt(text.trim()) : "Enter a whole number above zero, like 5.";

/** @returns minor units, or what is wrong with the text. */
const readAmount = (text: string, currency: string, locale: string): bigint | string => {
  const typed = parseTypedAmount(text, currency, locale);
  return typed.kind === "amount" ? typed.amountMinor : typedAmountProblem(typed, currency, locale);
};
