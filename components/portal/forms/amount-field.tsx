"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { Translator } from "#server/kernel/messages/translator.ts";
import { parseTypedAmount, toTypedAmount, typedAmountProblem } from "#server/kernel/money/typed-amount.ts";
import { formatAmount } from "../../format/money.ts";
import { Field } from "../../ui/field/field.tsx";
import styles from "./amount-field.module.css";

/** A rejected entry: the submitted text and the reason. Shown until the text changes. */
export type Refused = { text: string; why: string };

/** The number in minor units or as a count, or the problem with the text. */
export type Read = bigint | string;

type NumberFieldProps = {
  label: string;
  name: string;
  initial: string;
  read: (text: string) => Read;
  /** @returns why the number isn't allowed, null if it is allowed. Shown while the person types. */
  beyond: (value: bigint) => string | null;
  /** what happens with an allowed number */
  understood: (value: bigint) => ReactNode;
  inputMode: "decimal" | "numeric";
  hint: ReactNode;
  /** Pass a new object for each rejected entry, because a new object moves the focus to the field. */
  refused: Refused | null;
};

/**
 * A field for a number. While the person types, it shows how the text is understood, or that the number isn't allowed.
 * The problem of an incomplete number is shown only when the field loses the focus, because the number may still become
 * valid.
 */
export const NumberField = ({ initial, read, beyond, understood, refused, ...field }: NumberFieldProps) => {
  const [text, setText] = useState(initial);
  const [isLeft, setIsLeft] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refused) input.current?.focus();
  }, [refused]);

  const value = read(text);
  const reason = typeof value === "string" ? value : beyond(value);
  const isShown = isLeft || (typeof value === "bigint" && text !== initial);
  const error = refused?.text === text ? refused.why : isShown ? reason : null;
  return (
    <div className={styles.field}>
      <Field
        {...field}
        ref={input}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIsLeft(false);
        }}
        onBlur={() => setIsLeft(text !== initial)}
        autoComplete="off"
        spellCheck={false}
        error={error}
      />
      {/* The error replaces this line, so that the buttons below don't move during a click. */}
      {error ? null : (
        <p className={styles.understood} aria-live="polite">
          {typeof value === "bigint" && reason === null ? understood(value) : null}
        </p>
      )}
    </div>
  );
};

/** A field for an amount of money. */
export const AmountField = ({
  initialMinor,
  currency,
  locale,
  understood,
  ...field
}: Omit<NumberFieldProps, "initial" | "read" | "understood" | "inputMode"> & {
  initialMinor: number;
  currency: string;
  locale: string;
  /** the start of the sentence that says what happens, for example `You refund` */
  understood: string;
}) => {
  const t = useTranslations("amounts");
  return (
    <NumberField
      {...field}
      initial={toTypedAmount({ amountMinor: BigInt(initialMinor), currency }, locale)}
      read={(text) => readAmount(text, { currency, locale }, t)}
      understood={(amountMinor) => (
        <>
          {understood} <b className="num">{formatAmount(amountMinor, currency, { locale })}</b>.
        </>
      )}
      inputMode="decimal"
    />
  );
};

/** @returns minor units, or the problem with the text. */
export const readAmount = (
  text: string,
  { currency, locale }: { currency: string; locale: string },
  t: Translator<"amounts">,
): Read => {
  const typed = parseTypedAmount(text, currency, locale);
  return typed.kind === "amount" ? typed.amountMinor : typedAmountProblem(typed, { currency, locale }, t);
};
