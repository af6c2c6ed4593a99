"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { AmountField, NumberField, type Read, type Refused, readAmount } from "../../portal/acts/amount-field.tsx";
import { messageOf, trpc } from "../../portal/acts/trpc-client.ts";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import styles from "./mandate-limits.module.css";

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
  const [refused, setRefused] = useState<Refused | null>(null);

  const beyond = (wish: bigint) => (wish >= BigInt(cap) ? `That isn’t lower than ${capWords}.` : null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("cap") ?? "");
    const wish = currency === null ? readCount(text) : readAmount(text, currency, locale);
    const why = typeof wish === "string" ? wish : beyond(wish);
    if (why !== null) return setRefused({ text, why });
    setIsBusy(true);
    try {
      await trpc.wallet.narrow.mutate({ mandateId, limitKey, capMinor: Number(wish) });
      setIsOpen(false);
      setRefused(null);
      router.refresh();
    } catch (error) {
      setRefused({ text, why: messageOf(error) });
    } finally {
      setIsBusy(false);
    }
  };

  const hint = `Now ${capWords}. It counts from the next request on, and can’t be raised again here: ${clientName} would have to ask you again.${lifetimeHint(limitKey)}`;
  const field = { name: "cap", hint, beyond, refused };
  return (
    <>
      <Button size="small" aria-label={`Lower: ${label}`} onClick={() => setIsOpen(true)}>
        Lower
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Lower this limit?">
        <form className={styles.form} onSubmit={submit} noValidate>
          {currency === null ? (
            <NumberField
              {...field}
              label={`${label}: at most`}
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
              label={`${label}: at most, in ${currency}`}
              initialMinor={cap}
              currency={currency}
              locale={locale}
              understood="The limit becomes"
            />
          )}
          <DialogActions>
            <Button onClick={() => setIsOpen(false)}>Keep {capWords}</Button>
            <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
              Lower it
            </SubmitButton>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
};

/** A lifetime cap that is used up ends the permission (docs/spec/payments.md, Mandate states). */
const lifetimeHint = (limitKey: string): string =>
  limitKey === "total" || limitKey === "total_count" ? " At or below what is used already, the permission ends." : "";

const readCount = (text: string): Read =>
  /^0*[1-9]\d{0,11}$/.test(text.trim()) ? BigInt(text.trim()) : "Enter a whole number above zero, like 5.";
