"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { Translator } from "#server/kernel/messages/translator.ts";
import { parseTypedAmount, toTypedAmount, typedAmountProblem } from "#server/kernel/money/typed-amount.ts";
import { formatAmount } from "../format/money.ts";
import { adoptEarlyInput } from "../ui/adopt-early-input.ts";
import { Field } from "../ui/field/field.tsx";
import styles from "./limit-row.module.css";
import { EditableRow, FixedRow, RowValue } from "./limit-row.tsx";

type Props = {
  /** null: the request removes the limit, so the payer can't lower it */
  field: string | null;
  label: string;
  note: string;
  /** null: the request sets no limit, and the payer can add one */
  capMinor: number | null;
  /** the limit in force, null if there is none; absent for a new mandate */
  currentMinor?: number | null;
  currency: string;
  locale: string;
  /** what the payer entered before the decision was refused */
  typed: string | null;
  /** why the entered amount was refused */
  error: string | null;
};

/** An amount limit. If the request changes a mandate, the current limit is shown next to the new one. */
export const AmountRow = ({ field, ...row }: Props) =>
  field === null ? <RemovedLimitRow {...row} /> : <LowerableRow field={field} {...row} />;

const RemovedLimitRow = ({ label, note, capMinor, currentMinor, currency, locale }: Omit<Props, "field" | "typed">) => {
  const t = useTranslations("consent-form");
  return (
    <FixedRow
      label={label}
      note={note}
      value={
        <RowValue
          next={<Amount minor={capMinor} currency={currency} locale={locale} />}
          current={describeCurrent(capMinor, currentMinor, { currency, locale, t })}
        />
      }
    />
  );
};

const LowerableRow = (props: Props & { field: string }) => {
  const t = useTranslations("consent-form");
  const amounts = useTranslations("amounts");
  const { field, label, note, capMinor, currentMinor, currency, locale, typed, error } = props;
  const cap = capMinor === null ? null : BigInt(capMinor);
  const requested = cap === null ? "" : toTypedAmount({ amountMinor: cap, currency }, locale);
  const initial = typed ?? requested;
  const [text, setText] = useState(initial);
  const entered = readAmountText(text, props, { t, amounts });
  const next = entered.minor ?? cap;
  return (
    <EditableRow
      label={label}
      note={note}
      isOpen={error !== null || initial !== requested}
      verb={t(cap === null ? "addLimit" : "lower")}
      value={
        <RowValue
          next={
            <Amount
              minor={next}
              currency={currency}
              locale={locale}
              isLowered={entered.minor !== null && entered.minor !== cap}
            />
          }
          current={describeCurrent(next, currentMinor, { currency, locale, t })}
        />
      }
    >
      <Field
        label={t("yourLimit", { label, currency })}
        name={field}
        value={text}
        ref={adoptEarlyInput(setText)}
        onChange={(event) => setText(event.currentTarget.value)}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={error !== null}
        spellCheck={false}
        maxLength={40}
        hint={
          cap === null ? t("emptyMeansNoLimit") : t("onlyLower", { amount: formatAmount(cap, currency, { locale }) })
        }
        error={entered.problem ?? (text === initial ? error : null)}
      />
    </EditableRow>
  );
};

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
}) => {
  const t = useTranslations("consent-form");
  return minor === null ? (
    <span className={styles.none}>{t("noLimit")}</span>
  ) : (
    <span className={isLowered ? styles.lowered : undefined}>{formatAmount(minor, currency, { locale })}</span>
  );
};

/** The current limit as text: null for a new mandate, `same` if the limit doesn't change. */
const describeCurrent = (
  nextMinor: bigint | number | null,
  currentMinor: number | null | undefined,
  { currency, locale, t }: { currency: string; locale: string; t: Translator<"consent-form"> },
): string | null => {
  if (currentMinor === undefined) return null;
  if (currentMinor === null) return nextMinor === null ? "same" : t("noLimit");
  const isSame = nextMinor !== null && BigInt(nextMinor) === BigInt(currentMinor);
  return isSame ? "same" : formatAmount(currentMinor, currency, { locale });
};

/** Reads the entered amount. An empty text leaves the limit unchanged. The server applies the same rules again. */
const readAmountText = (
  text: string,
  { currency, locale, capMinor }: Pick<Props, "currency" | "locale" | "capMinor">,
  { t, amounts }: { t: Translator<"consent-form">; amounts: Translator<"amounts"> },
): { minor: bigint | null; problem: string | null } => {
  const typed = parseTypedAmount(text, currency, locale);
  switch (typed.kind) {
    case "empty":
      return { minor: null, problem: null };
    case "zero":
      return { minor: null, problem: t("zero") };
    case "amount": {
      const isAbove = capMinor !== null && typed.amountMinor > BigInt(capMinor);
      if (!isAbove) return { minor: typed.amountMinor, problem: null };
      const most = formatAmount(capMinor, currency, { locale });
      return { minor: null, problem: t("above", { most }) };
    }
    default:
      return { minor: null, problem: typedAmountProblem(typed, { currency, locale }, amounts) };
  }
};
