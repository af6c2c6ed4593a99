"use client";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { submittedForm, textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useMessageOf } from "../../portal/acts/use-message-of.ts";
import { AmountField, NumberField, type Read, type Refused, readAmount } from "../../portal/forms/amount-field.tsx";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./mandate-limits.module.css";

type Limit = {
  mandateId: string;
  clientName: string;
  limitKey: string;
  /** whether the mandate ends when this limit is used up */
  endsMandate: boolean;
  label: string;
  cap: number;
  used: number;
  /** the used amount or count, with its currency or unit */
  usedText: string;
  /** the cap with its currency or unit */
  capText: string;
  /** null for a limit on the number of payments */
  currency: string | null;
  locale: string;
};

/** Lowers one limit of a live mandate. If this ends the mandate, the payer must confirm it with a second press. */
export const LowerLimit = (limit: Limit) => {
  const messageOf = useMessageOf();
  const { open, dialog, run } = useConfirmDialog();
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isEndConfirmed, setIsEndConfirmed] = useState(false);
  const { mandateId, limitKey, endsMandate, cap, capText, used, usedText, currency, locale } = limit;
  const t = useTranslations("mandates.acts");
  const amounts = useTranslations("amounts");
  const readCount = useReadCount();

  const beyond = (value: bigint) => (value >= BigInt(cap) ? t("enterLess", { cap: capText }) : null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const text = textField(submittedForm(event), "cap");
    const value = currency === null ? readCount(text) : readAmount(text, { currency, locale }, amounts);
    const problem = typeof value === "string" ? value : beyond(value);
    if (problem !== null) return setRefused({ text, why: problem });
    if (endsMandate && Number(value) <= used && !isEndConfirmed) return setIsEndConfirmed(true);
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
      <Button size="small" aria-label={t("lowerLimit", { limit: limit.label })} onClick={open}>
        {t("lower")}
      </Button>
      <Dialog
        isOpen={dialog.isOpen}
        onOpenChange={(isOpen) => (isOpen ? null : dialog.onClose())}
        title={t("lowerTitle")}
      >
        <form className={styles.form} onSubmit={submit} onChange={() => setIsEndConfirmed(false)} noValidate>
          <CapField limit={limit} beyond={beyond} refused={refused} />
          {isEndConfirmed ? (
            <Notice tone="warn" isLive>
              {t("lowerEnds", { used: usedText })}
            </Notice>
          ) : null}
          <DialogActions>
            <Button onClick={dialog.onClose}>{t("keep", { cap: capText })}</Button>
            <SubmitButton variant={isEndConfirmed ? "dangerSolid" : "primary"} aria-busy={dialog.isBusy || undefined}>
              {t(isEndConfirmed ? "lowerAndEnd" : "lowerIt")}
            </SubmitButton>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
};

const CapField = ({
  limit: { clientName, endsMandate, label, cap, capText, currency, locale },
  beyond,
  refused,
}: {
  limit: Limit;
  beyond: (value: bigint) => string | null;
  refused: Refused | null;
}) => {
  const t = useTranslations("mandates.acts");
  const readCount = useReadCount();
  const hint = t(endsMandate ? "hintLifetime" : "hint", { cap: capText, agent: clientName });
  const field = { name: "cap", hint, beyond, refused };
  return currency === null ? (
    <NumberField
      {...field}
      label={t("newLimit", { limit: label })}
      initial={String(cap)}
      read={readCount}
      understood={(count) => (
        <>{t.rich("becomes", { count: String(count), b: (text) => <b className="num">{text}</b> })}</>
      )}
      inputMode="numeric"
    />
  ) : (
    <AmountField
      {...field}
      label={t("newLimitIn", { limit: label, currency })}
      initialMinor={cap}
      currency={currency}
      locale={locale}
      understood={t("becomesAmount")}
    />
  );
};

const useReadCount = (): ((text: string) => Read) => {
  const t = useTranslations("mandates.acts");
  return (text) => (/^0*[1-9]\d{0,11}$/.test(text.trim()) ? BigInt(text.trim()) : t("wholeNumber"));
};
