"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { adoptEarlyInput } from "../../ui/field/adopt-early-input.ts";
import { Field } from "../../ui/field/field.tsx";
import type { ConsentLimit } from "../consent-limits.ts";
import { formatCap, readTypedCap, toTypedCap } from "./cap.ts";
import { EditableRow, FixedRow } from "./limit-row.tsx";
import { limitSentence } from "./limit-sentence.ts";

type Props = ConsentLimit & {
  currency: string;
  locale: string;
  /** what the payer entered before the decision was refused */
  typed: string | null;
  /** why the entered value was refused */
  error: string | null;
};

/** A limit as a sentence. If the request changes a mandate, the current limit is shown below the new one. */
export const CapRow = ({ field, ...row }: Props) =>
  field === null ? <RemovedLimitRow {...row} /> : <LowerableRow field={field} {...row} />;

const useTexts = ({ currency, locale }: Pick<Props, "currency" | "locale">) => ({
  currency,
  locale,
  t: useTranslations("consent-form"),
  amounts: useTranslations("amounts"),
});

const describeCurrent = (limit: Omit<Props, "field">, texts: ReturnType<typeof useTexts>) =>
  limit.current === undefined ? null : limitSentence(limit.current, limit, texts);

const RemovedLimitRow = (props: Omit<Props, "field">) => {
  const texts = useTexts(props);
  return (
    <FixedRow
      sentence={limitSentence(null, props, texts)}
      tone="open"
      note={props.note}
      current={describeCurrent(props, texts)}
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
      sentence={limitSentence(next, props, texts)}
      tone={next === null ? "open" : isLowered ? "lowered" : null}
      note={note}
      current={describeCurrent(props, texts)}
      isOpen={error !== null || initial !== requested}
      verb={t(cap === null ? "addLimit" : "lower")}
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
