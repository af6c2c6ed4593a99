"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { parseDecimal, toDecimal } from "#server/kernel/money.ts";
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
}: {
  mandateId: string;
  clientName: string;
  limitKey: string;
  label: string;
  cap: number;
  capWords: string;
  /** null: the limit counts payments */
  currency: string | null;
}) => {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("cap") ?? "").replace(",", ".");
    const wish = currency === null ? wholeNumber(text) : parseDecimal(text, currency);
    if (wish === null || wish < 1n)
      return setProblem(
        currency === null ? "Write a whole number, for example 5." : "Write a plain amount, for example 25.00.",
      );
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

  return (
    <>
      <Button size="small" aria-label={`Lower: ${label}`} onClick={() => setIsOpen(true)}>
        Lower
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Lower this limit?">
        <form className={styles.form} onSubmit={submit} noValidate>
          <Field
            label={currency === null ? `${label}: at most` : `${label}: at most, in ${currency}`}
            name="cap"
            inputMode={currency === null ? "numeric" : "decimal"}
            autoComplete="off"
            defaultValue={currency === null ? String(cap) : toDecimal({ amountMinor: BigInt(cap), currency })}
            hint={`Now ${capWords}. It counts from the next request on, and can’t be raised again here: ${clientName} would have to ask you anew.${lifetimeHint(limitKey)}`}
            error={problem}
          />
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

/** A lifetime cap that is used up ends the permission (2-payments, the mandate's states). */
const lifetimeHint = (limitKey: string): string =>
  limitKey === "total" || limitKey === "total_count" ? " At or below what is used already, the permission ends." : "";

const wholeNumber = (text: string): bigint | null => (/^\d{1,12}$/.test(text.trim()) ? BigInt(text.trim()) : null);
