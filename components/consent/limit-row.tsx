"use client";
import { type ReactNode, useState } from "react";
import { parseTypedAmount, toTypedAmount, typedAmountProblem } from "#server/kernel/money/typed-amount.ts";
import { formatEndWithNote } from "../format/dates.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { takeEarly } from "../ui/take-early.ts";
import styles from "./limit-row.module.css";

type AmountRowProps = {
  /** null: there is nothing to lower */
  field: string | null;
  label: string;
  note: string;
  /** null: no limit was asked for, and one can be set */
  capMinor: number | null;
  /** the limit that stands now, null where none does; absent in a new mandate */
  beforeMinor?: number | null;
  currency: string;
  locale: string;
  /** what the payer typed before, where the decision was refused */
  typed: string | null;
  /** why what was typed was refused */
  error: string | null;
};

/** A limit with its figure, and what stands now beside it where it is to be changed. */
export const AmountRow = ({ field, ...row }: AmountRowProps) =>
  field === null ? <FixedRow {...row} /> : <LowerableRow field={field} {...row} />;

/** A limit that falls away. */
const FixedRow = ({
  label,
  note,
  capMinor,
  beforeMinor,
  currency,
  locale,
}: Omit<AmountRowProps, "field" | "typed">) => (
  <div className={`${styles.row} ${styles.summary}`}>
    <Label label={label} note={note} />
    <Figures
      after={<Amount minor={capMinor} currency={currency} locale={locale} />}
      before={beforeOf(capMinor, beforeMinor, { currency, locale })}
    />
    <span />
  </div>
);

/** Opens to be lowered. Without script it is a native disclosure around a native field. */
const LowerableRow = ({
  field,
  label,
  note,
  capMinor,
  beforeMinor,
  currency,
  locale,
  typed,
  error,
}: AmountRowProps & { field: string }) => {
  const asked = capMinor === null ? "" : toTypedAmount({ amountMinor: BigInt(capMinor), currency }, locale);
  const initial = typed ?? asked;
  const [text, setText] = useState(initial);
  const wish = readAmount(text, { currency, locale, capMinor });
  const problem = wish.problem ?? (text === initial ? error : null);
  const current = wish.minor ?? (capMinor === null ? null : BigInt(capMinor));
  const isLowered = wish.minor !== null && wish.minor !== (capMinor === null ? null : BigInt(capMinor));
  return (
    <Row
      label={label}
      note={note}
      isOpen={error !== null || initial !== asked}
      verb={capMinor === null ? "Set" : "Lower"}
      figure={
        <Figures
          after={<Amount minor={current} currency={currency} locale={locale} isLowered={isLowered} />}
          before={beforeOf(current, beforeMinor, { currency, locale })}
        />
      }
    >
      <Field
        label={capMinor === null ? `${label}: set a limit in ${currency}` : `${label}: your limit in ${currency}`}
        name={field}
        value={text}
        ref={takeEarly(setText)}
        onChange={(event) => setText(event.currentTarget.value)}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={error !== null}
        spellCheck={false}
        maxLength={40}
        hint={
          capMinor === null
            ? "Leave it empty for no limit."
            : `Up to ${formatAmount(capMinor, currency, { locale })}. You can’t raise it here.`
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
  before,
  min,
  max,
  zone,
  outside,
  typed,
  error,
}: {
  field: string;
  label: string;
  note: string;
  words: string;
  /** the end that stands now, null in a new mandate */
  before: string | null;
  /** dates, YYYY-MM-DD */
  min: string;
  max: string;
  /** whose clock the mandate goes by */
  zone: Reader;
  /** what to do about a day before min or after max */
  outside: string;
  /** what the payer typed before, where the decision was refused */
  typed: string | null;
  /** why what was typed was refused */
  error: string | null;
}) => {
  const [day, setDay] = useState(typed ?? "");
  const isOutside = day !== "" && (day < min || day > max);
  const problem = isOutside ? outside : day === typed ? error : null;
  const sooner = day === "" || isOutside ? null : formatEndWithNote(new Date(`${day}T00:00:00Z`), zone);
  const shown = sooner?.text ?? words;
  return (
    <Row
      label={label}
      note={sooner?.note ?? note}
      isOpen={error !== null || typed !== null}
      verb="Sooner"
      figure={
        <Figures
          after={<span className={sooner ? `${styles.words} ${styles.lowered}` : styles.words}>{shown}</span>}
          before={before === null ? null : before === shown ? "same" : before}
        />
      }
    >
      <Field
        label="End sooner, on"
        name={field}
        type="date"
        value={day}
        ref={takeEarly(setDay)}
        onChange={(event) => setDay(event.currentTarget.value)}
        min={min}
        max={max}
        autoFocus={error !== null}
        hint="It ends when that day begins, UTC. Leave it empty to keep the end above."
        error={problem}
      />
    </Row>
  );
};

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
      <Label label={label} note={note} />
      {figure}
      <span className={styles.edit}>
        <span className={styles.whenClosed}>{verb}</span>
        <span className={styles.whenOpen}>Close</span>
      </span>
    </summary>
    <div className={styles.panel}>{children}</div>
  </details>
);

const Label = ({ label, note }: { label: string; note: string }) => (
  <span className={styles.label}>
    {label}
    {note ? <span className={styles.note}>{note}</span> : null}
  </span>
);

const Amount = ({
  minor,
  currency,
  locale,
  isLowered = false,
}: {
  minor: bigint | number | null;
  currency: string;
  locale: string;
  isLowered?: boolean;
}) =>
  minor === null ? (
    <span className={styles.none}>No limit</span>
  ) : (
    <span className={isLowered ? styles.lowered : undefined}>{formatAmount(minor, currency, { locale })}</span>
  );

/** What stands now, in words: null in a new mandate, `same` where nothing changes. */
const beforeOf = (
  minor: bigint | number | null,
  beforeMinor: number | null | undefined,
  { currency, locale }: { currency: string; locale: string },
): string | null => {
  if (beforeMinor === undefined) return null;
  if (beforeMinor === null) return minor === null ? "same" : "No limit";
  return minor !== null && BigInt(minor) === BigInt(beforeMinor)
    ? "same"
    : formatAmount(beforeMinor, currency, { locale });
};

/** The new value, and the present one beside it. */
const Figures = ({ after, before }: { after: ReactNode; before: string | null }) => (
  <span className={styles.figure}>
    {before === null ? null : before === "same" ? (
      <span className={styles.same}>unchanged</span>
    ) : (
      <span className={styles.before}>
        <span className="visuallyHidden">now </span>
        {before}
        <Icon name="right" size={16} />
        <span className="visuallyHidden">, then </span>
      </span>
    )}
    {after}
  </span>
);

type Wish = { minor: bigint | null; problem: string | null };

/** Empty is no wish; the server reads the same text by the same rule and decides. */
const readAmount = (
  text: string,
  { currency, locale, capMinor }: Pick<AmountRowProps, "currency" | "locale" | "capMinor">,
): Wish => {
  const typed = parseTypedAmount(text, currency, locale);
  switch (typed.kind) {
    case "empty":
      return { minor: null, problem: null };
    case "zero":
      return { minor: null, problem: "A limit is more than zero. To allow nothing, decline." };
    case "amount":
      return capMinor === null || typed.amountMinor <= BigInt(capMinor)
        ? { minor: typed.amountMinor, problem: null }
        : {
            minor: null,
            problem: `That is more than was asked for. The most is ${formatAmount(capMinor, currency, { locale })}.`,
          };
    default:
      return { minor: null, problem: typedAmountProblem(typed, currency, locale) };
  }
};
