"use client";
import { type ReactNode, useState } from "react";
import { parseDecimal, toDecimal } from "#server/kernel/money.ts";
import { money } from "../mandates/words.ts";
import { Field } from "../ui/field.tsx";
import styles from "./limit-row.module.css";

/** A limit with its figure; opens to be lowered. Without script it is a native disclosure around a native field. */
export const AmountRow = ({
  field,
  label,
  note,
  capMinor,
  currency,
  locale,
  error,
}: {
  field: string;
  label: string;
  note: string;
  /** null: no limit was asked for, and one can be set */
  capMinor: number | null;
  currency: string;
  locale: string;
  error: string | null;
}) => {
  const asked = capMinor === null ? "" : toDecimal({ amountMinor: BigInt(capMinor), currency });
  const [text, setText] = useState(asked);
  const wish = readAmount(text, currency, capMinor);
  const problem = wish.problem
    ? problems[wish.problem](capMinor === null ? "" : money(capMinor, currency, { locale }))
    : error;
  const current = wish.minor ?? (capMinor === null ? null : BigInt(capMinor));
  const isLowered = wish.minor !== null && wish.minor !== (capMinor === null ? null : BigInt(capMinor));
  return (
    <Row
      label={label}
      note={note}
      isOpen={error !== null}
      verb={capMinor === null ? "Set" : "Lower"}
      figure={
        current === null ? (
          <span className={styles.none}>No limit</span>
        ) : (
          <span className={isLowered ? styles.lowered : undefined}>{money(current, currency, { locale })}</span>
        )
      }
    >
      <Field
        label={capMinor === null ? `${label}: set a limit in ${currency}` : `${label}: your limit in ${currency}`}
        name={field}
        value={text}
        onChange={(event) => setText(event.currentTarget.value.replace(",", "."))}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        hint={
          capMinor === null
            ? "Leave it empty for no limit."
            : `Up to ${money(capMinor, currency, { locale })}. You can’t raise it here.`
        }
        error={problem}
      />
    </Row>
  );
};

export const EndRow = ({
  field,
  label,
  note,
  words,
  min,
  max,
  error,
}: {
  field: string;
  label: string;
  note: string;
  words: string;
  /** dates, YYYY-MM-DD */
  min: string;
  max: string;
  error: string | null;
}) => (
  <Row
    label={label}
    note={note}
    isOpen={error !== null}
    verb="Sooner"
    figure={<span className={styles.words}>{words}</span>}
  >
    <Field
      label="End sooner, on"
      name={field}
      type="date"
      min={min}
      max={max}
      hint="It ends when that day begins, UTC. Leave it empty to keep the end above."
      error={error}
    />
  </Row>
);

const Row = ({
  label,
  note,
  figure,
  verb,
  isOpen,
  children,
}: {
  label: string;
  note: string;
  figure: ReactNode;
  verb: string;
  isOpen: boolean;
  children: ReactNode;
}) => (
  <details className={styles.row} open={isOpen || undefined}>
    <summary className={styles.summary}>
      <span className={styles.label}>
        {label}
        {note ? <span className={styles.note}>{note}</span> : null}
      </span>
      <span className={styles.figure}>{figure}</span>
      <span className={styles.edit}>
        <span className={styles.whenClosed}>{verb}</span>
        <span className={styles.whenOpen}>Close</span>
      </span>
    </summary>
    <div className={styles.panel}>{children}</div>
  </details>
);

const problems = {
  malformed: () => "Write a plain amount, for example 25.00.",
  zero: () => "A limit is more than zero. To allow nothing, decline.",
  higher: (cap: string) => `That is more than was asked for. The most is ${cap}.`,
};

type Wish = { minor: bigint | null; problem: keyof typeof problems | null };

/** Empty is no wish; the server reads the same text by the same rule and decides. */
const readAmount = (text: string, currency: string, capMinor: number | null): Wish => {
  if (text.trim() === "") return { minor: null, problem: null };
  const minor = parseDecimal(text, currency);
  if (minor === null) return { minor: null, problem: "malformed" };
  if (minor === 0n) return { minor: null, problem: "zero" };
  if (capMinor !== null && minor > BigInt(capMinor)) return { minor: null, problem: "higher" };
  return { minor, problem: null };
};
