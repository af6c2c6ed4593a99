"use client";
import { type ReactNode, useState } from "react";
import { parseTypedAmount, toTypedAmount } from "#server/kernel/typed-amount.ts";
import { Field } from "../ui/field.tsx";
import styles from "./amount-field.module.css";
import { money } from "./words.ts";

/** A field for an amount. It says how the text is understood while it is typed, before anything is done with it. */
export const AmountField = ({
  label,
  name,
  initialMinor,
  currency,
  locale,
  understood,
  hint,
  error,
}: {
  label: string;
  name: string;
  initialMinor: number;
  currency: string;
  locale: string;
  /** the verb of the sentence that says what will happen, for example `You refund` */
  understood: string;
  hint: ReactNode;
  error: string | null;
}) => {
  const [text, setText] = useState(() => toTypedAmount({ amountMinor: BigInt(initialMinor), currency }, locale));
  const typed = parseTypedAmount(text, currency, locale);
  return (
    <div className={styles.field}>
      <Field
        label={label}
        name={name}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        hint={hint}
        error={error}
      />
      <p className={styles.understood} aria-live="polite">
        {typed.kind === "amount" ? (
          <>
            {understood} <b className="num">{money(typed.amountMinor, currency, { locale })}</b>.
          </>
        ) : null}
      </p>
    </div>
  );
};
