"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { adoptEarlyInput } from "../ui/adopt-early-input.ts";
import { Field } from "../ui/field/field.tsx";
import { formatCap, readTypedCap, toTypedCap } from "./cap.ts";
import type { ConsentLimit, LimitUnit } from "./consent-limits.ts";
import styles from "./limit-row.module.css";
import { EditableRow, FixedRow, RowValue } from "./limit-row.tsx";

type Props = ConsentLimit & {
  currency: string;
  locale: string;
  /** what the payer entered before the decision was refused */
  typed: string | null;
  /** why the entered value was refused */
  error: string | null;
};

/** A limit. If the request changes a mandate, the current limit is shown next to the new one. */
export const CapRow = ({ field, ...row }: Props) =>
  field === null ? <RemovedLimitRow {...row} /> : <LowerableRow field={field} {...row} />;

const useTexts = ({ currency, locale }: Pick<Props, "currency" | "locale">) => ({
  currency,
  locale,
  t: useTranslations("consent-form"),
  amounts: useTranslations("amounts"),
});
type Texts = ReturnType<typeof useTexts>;

const RemovedLimitRow = (props: Omit<Props, "field" | "typed">) => {
  const texts = useTexts(props);
  const { label, note, unit, cap } = props;
  return (
    <FixedRow
      label={label}
      note={note}
      value={
        <RowValue next={<CapText cap={cap} unit={unit} texts={texts} />} current={describeCurrent(cap, props, texts)} />
      }
    />
  );
};

const LowerableRow = (props: Props & { field: string }) => {
  const texts = useTexts(props);
  const { t } = texts;
  const { field, label, note, unit, cap, typed, error } = props;
  const requested = cap === null ? "" : toTypedCap(cap, unit, texts);
  const initial = typed ?? requested;
  const [text, setText] = useState(initial);
  const entered = readTypedCap(text, props, texts);
  const next = entered.cap ?? cap;
  const isLowered = entered.cap !== null && (cap === null || entered.cap < BigInt(cap));
  return (
    <EditableRow
      label={label}
      note={note}
      isOpen={error !== null || initial !== requested}
      verb={t(cap === null ? "addLimit" : "lower")}
      value={
        <RowValue
          next={<CapText cap={next} unit={unit} texts={texts} isLowered={isLowered} />}
          current={describeCurrent(next, props, texts)}
        />
      }
    >
      <Field
        label={unit === "amount" ? t("yourLimit", { label, currency: props.currency }) : t("yourCount", { label })}
        name={field}
        value={text}
        ref={adoptEarlyInput(setText)}
        onChange={(event) => setText(event.currentTarget.value)}
        inputMode={unit === "amount" ? "decimal" : "numeric"}
        autoComplete="off"
        autoFocus={error !== null}
        spellCheck={false}
        maxLength={40}
        hint={cap === null ? t("emptyMeansNoLimit") : t("onlyLower", { most: formatCap(cap, unit, texts) })}
        error={entered.problem ?? (text === initial ? error : null)}
      />
    </EditableRow>
  );
};

const CapText = ({
  cap,
  unit,
  texts,
  isLowered = false,
}: {
  cap: bigint | number | null;
  unit: LimitUnit;
  texts: Texts;
  isLowered?: boolean;
}) =>
  cap === null ? (
    <span className={styles.none}>{texts.t("noLimit")}</span>
  ) : (
    <span className={isLowered ? styles.lowered : undefined}>{formatCap(cap, unit, texts)}</span>
  );

/** The current limit as text: null for a new mandate, `same` if the limit doesn't change. */
const describeCurrent = (
  next: bigint | number | null,
  { current, unit }: Pick<Props, "current" | "unit">,
  texts: Texts,
): string | null => {
  if (current === undefined) return null;
  if (current === null) return next === null ? "same" : texts.t("noLimit");
  const isSame = next !== null && BigInt(next) === BigInt(current);
  return isSame ? "same" : formatCap(current, unit, texts);
};
